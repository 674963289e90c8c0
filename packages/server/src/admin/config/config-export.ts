import { compareText } from '@burgee/kit/compare-text'
import type { ConfigFileContent, ConfigFileKind } from '@burgee/protocol/administration/config-files'
import type { ConfigFile } from '@burgee/protocol/administration/config-plan'
import type { TemplateRow } from '@burgee/storage/queries/releases/release-templates'
import type { SegmentRow } from '@burgee/storage/queries/targeting/segments'
import { collectContextFields } from '@burgee/storage/queries/transfer/feature-reads'
import { createFlagNotFound } from '../flags/feature-ref.ts'
import { type SegmentNames, toContextFieldFile, toFlagFile, toSegmentFile, toTemplateFile } from './config-contents.ts'
import type { ProjectConfig, StoredFlag } from './project-config.ts'
import { writeConfigYaml } from './write-config-yaml.ts'

/** Folder for the files of each kind of object. */
const FOLDERS: Readonly<Record<ConfigFileKind, string>> = {
  Flag: '',
  Segment: 'segments/',
  ContextField: 'context-fields/',
  ReleaseTemplate: 'release-templates/',
}

/**
 * Returns the files of a project (or of one flag) and of all objects that it uses, sorted by path. Throws NotFoundError
 * for an unknown flag.
 */
export function exportConfig(config: ProjectConfig, flag?: string): ConfigFile[] {
  const flags = selectFlags(config, flag)
  const names: SegmentNames = new Map(config.segments.map(({ id, name }) => [id, name]))
  const templates = selectTemplates(config, flags, names)
  const segments = selectSegments(config, { flags, templates, isWhole: flag === undefined })
  const read = collectContextFields([
    ...flags.flatMap(({ environments }) => [...environments.values()].flatMap((one) => [one, ...one.strategies])),
    ...templates.flatMap(({ milestones }) => milestones.flatMap(({ strategies }) => strategies)),
    ...segments,
  ])
  return nameFiles([
    ...flags.map((one) => toFlagFile(one, names)),
    ...segments.map(toSegmentFile),
    ...config.fields.filter(({ name }) => read.has(name)).map(toContextFieldFile),
    ...templates.map((one) => toTemplateFile(one, names)),
  ])
}

function selectFlags({ flags, project }: ProjectConfig, feature: string | undefined): StoredFlag[] {
  if (feature === undefined) return [...flags.values()]
  const found = flags.get(feature)
  if (found === undefined) throw createFlagNotFound({ project, feature })
  return [found]
}

/**
 * Returns the release templates on which the flags' release plans are based. Leaves out templates that files could not
 * identify because another template has the same name, and templates that use a segment of a hidden project.
 */
function selectTemplates(
  { templates }: ProjectConfig,
  flags: readonly StoredFlag[],
  segments: SegmentNames,
): TemplateRow[] {
  const used = new Set(
    flags.flatMap(({ environments }) => [...environments.values()].flatMap(({ plan }) => plan?.template_id ?? [])),
  )
  const named = Map.groupBy(templates, ({ name }) => name)
  return templates.filter(
    (template) =>
      used.has(template.id) &&
      named.get(template.name)?.length === 1 &&
      listTemplateSegments(template).every((id) => segments.has(id)),
  )
}

const listTemplateSegments = ({ milestones }: TemplateRow): number[] =>
  milestones.flatMap(({ strategies }) => strategies.flatMap(({ segments }) => segments))

function selectSegments(
  { segments, project }: ProjectConfig,
  used: {
    readonly flags: readonly StoredFlag[]
    readonly templates: readonly TemplateRow[]
    readonly isWhole: boolean
  },
): SegmentRow[] {
  const ids = new Set([
    ...used.flags.flatMap(({ environments }) =>
      [...environments.values()].flatMap(({ strategies }) => strategies.flatMap((one) => one.segments)),
    ),
    ...used.templates.flatMap(listTemplateSegments),
  ])
  return segments.filter((row) => ids.has(row.id) || (used.isWhole && row.project === project))
}

/** Assigns a path to each file. The paths also differ on case-insensitive file systems. */
function nameFiles(contents: readonly ConfigFileContent[]): ConfigFile[] {
  const taken = new Set<string>()
  const sorted = contents.toSorted(
    (a, b) => compareText(FOLDERS[a.kind], FOLDERS[b.kind]) || compareText(a.name, b.name),
  )
  return sorted
    .map((content) => {
      const base = `${FOLDERS[content.kind]}${content.name.replace(/[^\w.-]/g, '_').replace(/^\./, '_')}`
      let path = base
      for (let number = 2; taken.has(path.toLowerCase()); number += 1) path = `${base}-${number}`
      taken.add(path.toLowerCase())
      return { path: `${path}.yaml`, content: writeConfigYaml(content) }
    })
    .sort((a, b) => compareText(a.path, b.path))
}
