import { Problem } from '@burgee/protocol/problem'
import { readNewestEventId } from '@burgee/storage/queries/events/events'
import { insertAll } from '@burgee/storage/queries/import/explicit-ids'
import { insertIntegration } from '@burgee/storage/queries/integrations/integrations'
import { putGrants } from '@burgee/storage/queries/integrations/project-grants'
import { setOrigins } from '../../core/settings.ts'
import { toStoredParameters } from '../integrations/parameters.ts'
import { findProvider } from '../integrations/providers.ts'
import type { ImportContext } from './import-order.ts'

/** Writes settings, applications and integrations. The integrations are not notified of earlier events. */
export async function writeSurroundings(writing: ImportContext): Promise<void> {
  await writeSettings(writing)
  await writeApplications(writing)
  if (writing.order.mode === 'merge' && writing.order.events !== 'none') await skipImportedEvents(writing)
  await writeIntegrations(writing)
}

/** Marks imported events as delivered for existing integrations, which would otherwise report all imported events. */
async function skipImportedEvents({ tx }: ImportContext): Promise<void> {
  await tx
    .updateTable('integrations')
    .set({ seen_event_id: await readNewestEventId(tx) })
    .execute()
}

async function writeSettings({ tx, installation, tally, moment, order }: ImportContext): Promise<void> {
  const { frontendOrigins } = installation.settings
  if (frontendOrigins === undefined || order.mode === 'merge') return
  try {
    await setOrigins(tx, { frontendApiOrigins: [...frontendOrigins] }, moment)
    tally.count('setting', 1)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    tally.count('setting', 1, 0)
    tally.addNote('setting', 'origins of the front-end API', 'not carried', describeProblem(error))
  }
}

/** Returns an error message that names the property but does not contain its stored value. */
function describeProblem(problem: Problem): string {
  return problem.details?.[0]?.message ?? problem.message
}

async function writeIntegrations({ tx, installation, tally, moment, order }: ImportContext): Promise<void> {
  let imported = 0
  for (const one of installation.integrations) {
    const name = `${one.provider} (${one.id})`
    const provider = findProvider(one.provider)
    if (provider === undefined) {
      tally.addNote('integration', name, 'not carried', 'this provider is not available here')
      continue
    }
    try {
      const rules = { provider, before: undefined, secrets: moment.secrets, allowPrivate: true }
      const isOn = one.enabled && order.integrationsOn
      const only_projects = toNames(one.projects)
      const id = await insertIntegration(tx, {
        provider: one.provider,
        enabled: Number(isOn),
        description: one.description,
        ...toStoredParameters(one.parameters, rules),
        event_types: [...one.eventTypes],
        only_projects,
        only_environments: toNames(one.environments),
        created_at: one.createdAt,
        seen_event_id: await readNewestEventId(tx),
      })
      await putGrants(tx, id, { projects: [...new Set(only_projects)], grantedBy: moment.author.userId })
      imported += 1
      if (isOn)
        tally.addNote(
          'integration',
          name,
          'exact',
          'it is enabled: stop the other server first, or messages are sent twice',
        )
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      tally.addNote('integration', name, 'not carried', describeProblem(error))
    }
  }
  tally.count('integration', installation.integrations.length, imported)
}

/** Returns the names. If one of the values is `*`, returns an empty list, which means all. */
function toNames(names: readonly string[]): string[] {
  return names.includes('*') ? [] : [...names]
}

async function writeApplications({ tx, installation, tally }: ImportContext): Promise<void> {
  const there = new Set(
    (await tx.selectFrom('client_applications').select('app_name').execute()).map((row) => row.app_name),
  )
  const coming = installation.applications.filter(({ appName }) => !there.has(appName))
  tally.count('application', installation.applications.length, coming.length)
  await insertAll(
    tx,
    'client_applications',
    coming.map((one) => ({
      app_name: one.appName,
      strategies: JSON.stringify(one.strategies),
      description: one.description,
      url: one.url,
      color: one.color,
      icon: one.icon,
      first_seen_at: one.createdAt,
      last_seen_at: one.seenAt,
    })),
  )
  const names = new Set(coming.map(({ appName }) => appName))
  await insertAll(
    tx,
    'client_application_reach',
    coming.flatMap(({ appName, reach }) => reach.map((one) => ({ app_name: appName, ...one }))),
  )
  const instances = installation.instances.filter(({ appName }) => names.has(appName))
  await insertAll(
    tx,
    'client_instances',
    instances.map((one) => ({
      app_name: one.appName,
      instance_id: one.instanceId,
      environment: one.environment,
      sdk_version: one.sdkVersion,
      address: one.address,
      last_seen_at: one.lastSeenAt,
    })),
  )
  await insertAll(tx, 'client_instance_projects', instances.flatMap(createProjectLookup(coming)))
}

/**
 * Returns the project of an instance if its application uses only one project in that environment; undefined otherwise,
 * because the project is then unknown.
 */
function createProjectLookup(applications: ImportContext['installation']['applications']) {
  const reach = new Map(applications.map((one) => [one.appName, one.reach]))
  return ({ appName, instanceId, environment }: ImportContext['installation']['instances'][number]) => {
    const [only, ...others] = (reach.get(appName) ?? []).filter((one) => one.environment === environment)
    if (only === undefined || others.length > 0) return []
    return [{ app_name: appName, instance_id: instanceId, environment, project: only.project }]
  }
}
