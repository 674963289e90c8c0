import type {
  FileEnvironment,
  FileStrategy,
  ReleaseTemplateFile,
  SegmentFile,
} from '@burgee/protocol/administration/config-files'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { ConfigMistakes, MistakePlace, PropertyPath } from './config-mistakes.ts'
import type { ParsedFile } from './parse-config-file.ts'
import type { ProjectConfig } from './project-config.ts'

/** Release template with the names of its milestones. */
export interface KnownTemplate {
  readonly id: string
  readonly milestones: readonly string[]
}

type Release = NonNullable<FileEnvironment['release']>

/** Ids, keyed by name, of the segments and release templates that flags can use, including those in new files. */
export class ConfigReferences {
  readonly #project: string
  readonly #segments = new Map<string, { readonly id: number; readonly project: string | null }>()
  readonly #templates = new Map<string, readonly KnownTemplate[]>()
  readonly #strategyTypes: ReadonlySet<string>
  readonly #mistakes: ConfigMistakes

  constructor(config: ProjectConfig, mistakes: ConfigMistakes) {
    this.#project = config.project
    this.#mistakes = mistakes
    this.#strategyTypes = config.strategyTypes
    for (const { id, name, project } of config.segments) this.#segments.set(name, { id, project })
    for (const [name, all] of Map.groupBy(config.templates, (one) => one.name)) {
      const known = all.map(({ id, milestones }) => ({ id, milestones: milestones.map((one) => one.name) }))
      this.#templates.set(name, known)
    }
  }

  /** Adds a segment that one of the files creates. Returns its placeholder. */
  addSegment({ content: { name, project } }: ParsedFile<SegmentFile>): number {
    const id = -1 - this.#segments.size
    this.#segments.set(name, { id, project: project ?? null })
    return id
  }

  /**
   * Adds a release template that one of the files creates or changes. Returns the template's id, or a placeholder if it
   * does not exist yet.
   */
  addTemplate({ content: { name, milestones = [] } }: ParsedFile<ReleaseTemplateFile>): string {
    const id = this.#templates.get(name)?.[0]?.id ?? `new:${name}`
    this.#templates.set(name, [{ id, milestones: milestones.map((one) => one.name) }])
    return id
  }

  /**
   * Returns the release template that a flag's file names. Adds a mistake and returns undefined if the name does not
   * identify a single template, or if the template has no milestone of that name.
   */
  findTemplate(place: MistakePlace, property: PropertyPath, release: Release): KnownTemplate | undefined {
    const [known, ...others] = this.#templates.get(release.template) ?? []
    if (known === undefined || others.length > 0) {
      const text = known === undefined ? 'There is no release template' : 'Several release templates are named'
      this.#mistakes.add(place, [...property, 'template'], `${text} "${release.template}".`)
      return undefined
    }
    if (release.milestone === undefined || known.milestones.includes(release.milestone)) return known
    const text = `The release template "${release.template}" has no milestone "${release.milestone}".`
    this.#mistakes.add(place, [...property, 'milestone'], text)
    return undefined
  }

  /**
   * Converts a strategy from a file. Adds mistakes for a missing strategy type, and for segments that do not exist or
   * belong to another project. `project` is null in a release template, which may only use global segments.
   */
  toStrategyInput(
    place: MistakePlace,
    property: PropertyPath,
    { segments = [], ...strategy }: FileStrategy,
    project: string | null = this.#project,
  ): StrategyInput {
    if (!this.#strategyTypes.has(strategy.name)) {
      this.#mistakes.add(place, [...property, 'name'], `There is no strategy type "${strategy.name}".`)
    }
    const ids = segments.flatMap((name, index) => {
      const found = this.#segments.get(name)
      if (found !== undefined && (found.project === null || found.project === project)) return [found.id]
      const owner =
        project === null ? 'one project, and a release template needs segments of all projects' : 'another project'
      const text = found === undefined ? `There is no segment "${name}".` : `The segment "${name}" belongs to ${owner}.`
      this.#mistakes.add(place, [...property, 'segments', index], text)
      return []
    })
    return { ...strategy, segments: ids }
  }
}
