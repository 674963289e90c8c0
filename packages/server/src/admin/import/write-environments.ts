import type { SourceFlag } from '@burgee/import/model/source-flags'
import { insertAll } from '@burgee/storage/queries/import/explicit-ids'
import { addEnvironmentToProject } from '@burgee/storage/queries/projects/environments'
import type { ImportContext } from './import-order.ts'
import { readNames } from './write-material.ts'

/**
 * Adds the environments of imported flags to existing projects, and gives each imported flag a state in all
 * environments of its project: off if the source has none.
 */
export async function writeEnvironments(
  writing: ImportContext,
  flags: readonly SourceFlag[],
  brought: ReadonlySet<string>,
): Promise<void> {
  const { tx, tally } = writing
  const known = await readNames(writing, 'environments', 'name')
  const uses = await environmentsByProject(writing)
  for (const { project, states } of flags) {
    if (brought.has(project)) continue
    const own = uses.get(project) ?? new Set<string>()
    for (const { environment } of states) {
      if (own.has(environment) || !known.has(environment)) continue
      await addEnvironmentToProject(tx, { project, environment })
      uses.set(project, own.add(environment))
      tally.addNote('project', project, 'approximated', `it now uses the environment "${environment}"`)
    }
  }
  const there = await tx.selectFrom('feature_environments').select(['feature_name', 'environment']).execute()
  const held = Map.groupBy(there, ({ feature_name }) => feature_name)
  await insertAll(
    tx,
    'feature_environments',
    flags.flatMap(({ name, project }) => {
      const has = new Set((held.get(name) ?? []).map(({ environment }) => environment))
      const missing = [...(uses.get(project) ?? [])].filter((environment) => !has.has(environment))
      return missing.map((environment) => ({ feature_name: name, environment, enabled: 0, variants: '[]' }))
    }),
  )
}

async function environmentsByProject({ tx }: Pick<ImportContext, 'tx'>): Promise<Map<string, Set<string>>> {
  const rows = await tx.selectFrom('project_environments').selectAll().execute()
  const groups = Map.groupBy(rows, ({ project }) => project)
  return new Map(
    [...groups].map(([project, own]) => [project, new Set(own.map(({ environment }) => environment))] as const),
  )
}
