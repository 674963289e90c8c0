import { environmentWith, fieldsReadBy, projectWith } from '../model/held-defaults.ts'
import { emptyInstallation, type Installation, type Origin } from '../model/installation.ts'

/** Creates an installation from flags and segments. Derives projects, environments and context fields from them. */
export function rulesInstallation(
  origin: Origin,
  parts: Pick<Installation, 'flags' | 'segments' | 'notes'> & { readonly environments: readonly string[] },
): Installation {
  const { flags, segments, notes, environments } = parts
  const rules = flags.flatMap(({ states }) => states.flatMap(({ strategies }) => strategies))
  const shared = segments.map(({ constraints }) => ({ constraints, parameters: {}, variants: [] }))
  const tags = new Map(flags.flatMap((flag) => flag.tags.map((tag) => [JSON.stringify(tag), tag] as const)))
  return {
    ...emptyInstallation(origin),
    ...{ flags, segments, notes, tags: [...tags.values()] },
    environments: environments.map((name) => environmentWith({ name })),
    projects: [...new Set(flags.map(({ project }) => project))].map((id) => projectWith({ id }, environments)),
    contextFields: fieldsReadBy([...rules, ...shared]),
  }
}
