import { createEmptyInstallation, type Installation, type InstallationOrigin } from '../model/installation.ts'
import { createEnvironment, createProject, listContextFields } from '../model/source-defaults.ts'

/**
 * Creates an installation from flags and segments. Derives projects, environments and context fields from the flags and
 * segments.
 */
export function buildRulesInstallation(
  origin: InstallationOrigin,
  parts: Pick<Installation, 'flags' | 'segments' | 'notes'> & { readonly environments: readonly string[] },
): Installation {
  const { flags, segments, notes, environments } = parts
  const rules = flags.flatMap(({ states }) => states.flatMap(({ strategies }) => strategies))
  const shared = segments.map(({ constraints }) => ({ constraints, parameters: {}, variants: [] }))
  const tags = new Map(flags.flatMap((flag) => flag.tags.map((tag) => [JSON.stringify(tag), tag] as const)))
  return {
    ...createEmptyInstallation(origin),
    flags,
    segments,
    notes,
    tags: [...tags.values()],
    environments: environments.map((name) => createEnvironment({ name })),
    projects: [...new Set(flags.map(({ project }) => project))].map((id) => createProject({ id }, environments)),
    contextFields: listContextFields([...rules, ...shared]),
  }
}
