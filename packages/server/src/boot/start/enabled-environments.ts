import { listAllEnvironments } from '@burgee/storage/queries/transfer/state-reads'
import { switchEnvironment } from '../../admin/projects/environments.ts'
import { execute } from '../../core/execute.ts'
import { SYSTEM, type World } from '../../core/world.ts'

/** Enables the named environments and disables all others; warns about unknown names. */
export async function setEnabledEnvironments(world: World, names: readonly string[]): Promise<void> {
  const all = (await listAllEnvironments(world.db.reader)).map(({ name }) => name)
  const unknown = names.filter((name) => !all.includes(name))
  if (unknown.length > 0) {
    world.logger.warn(
      `ENABLED_ENVIRONMENTS names unknown environments: ${unknown.join(', ')}. There are ${all.join(', ')}`,
    )
  }
  for (const name of all) await execute(world, SYSTEM, switchEnvironment, { name, enabled: names.includes(name) })
}
