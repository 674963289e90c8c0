import { notFound } from '@burgee/kit/input/refusals'
import type {
  ApplicationDetails,
  ApplicationOverview,
  ApplicationSearch,
  Applications,
  DescribeApplication,
  OutdatedSdks,
} from '@burgee/protocol/application'
import type { Reader, Tx } from '@burgee/storage/database'
import { listStrategyTypes } from '@burgee/storage/queries/targeting/strategy-types'
import {
  deleteApplication,
  findApplication,
  listAllSdkVersions,
  listApplications,
  listInstances,
  listRequestedFeatures,
  listRequestedFlags,
  putApplication,
  toApplicationState,
} from '@burgee/storage/queries/usage/applications'
import { listOutdatedVersions, listWithoutParentSupport } from '../../delivery/usage/sdk-versions.ts'
import { toFeatureState } from '../flags/feature-views.ts'
import { toStrategyType } from '../targeting/strategy-types.ts'

/** Fields to store for an application, and the projects that are hidden from the caller. */
interface ApplicationDescription {
  readonly appName: string
  readonly body: DescribeApplication
  readonly now: number
  readonly hidden?: readonly string[] | undefined
}

/**
 * Stores the description of an application, even if the application has not sent a report yet. Omitted fields keep
 * their stored value. Throws NotFoundError if all projects of the application are hidden.
 */
export async function describeApplication(
  tx: Tx,
  { appName, body, now, hidden }: ApplicationDescription,
): Promise<void> {
  const before = await findApplication(tx, appName)
  if (before !== undefined) await requireApplication(tx, appName, hidden)
  const kept = before ?? { description: null, url: null, color: null, icon: null, strategies: [] }
  const {
    description = kept.description,
    url = kept.url,
    color = kept.color,
    icon = kept.icon,
    strategies = kept.strategies,
  } = body
  await putApplication(tx, {
    app_name: appName,
    description,
    url,
    color,
    icon,
    strategies,
    by_public_token: before?.by_public_token ?? 0,
    first_seen_at: before?.first_seen_at ?? now,
    last_seen_at: before?.last_seen_at ?? now,
  })
}

/** Deletes an application and its instances until it reports again; its usage counts remain. Throws NotFoundError. */
export async function removeApplication(
  tx: Tx,
  appName: string,
  hidden?: readonly string[] | undefined,
): Promise<void> {
  await requireApplication(tx, appName, hidden)
  if (!(await deleteApplication(tx, appName))) throw notFound(`There is no application "${appName}".`)
}

/** Lists applications with their environments, and with those of their SDKs that do not support parent flags. */
export async function readApplications(
  reader: Reader,
  query: ApplicationSearch,
  hidden?: readonly string[] | undefined,
): Promise<Applications> {
  const { applications, total } = await listApplications(reader, query, hidden)
  return {
    applications: applications.map((one) => ({ ...one, sdksWithoutParents: listWithoutParentSupport(one.sdks) })),
    total,
  }
}

/** Returns an application with its instances, its strategies and the flags that it evaluates. Throws NotFoundError. */
export async function readApplicationDetails(
  reader: Reader,
  appName: string,
  hidden?: readonly string[] | undefined,
): Promise<ApplicationDetails> {
  const row = await requireApplication(reader, appName, hidden)
  const types = new Map((await listStrategyTypes(reader)).map((type) => [type.name, toStrategyType(type)]))
  return {
    ...toApplicationState(row),
    strategies: row.strategies.map((name) => types.get(name) ?? { name, notFound: true }),
    instances: await listInstances(reader, appName, { hidden }),
    seenToggles: (await listRequestedFeatures(reader, appName, hidden)).map(({ name, feature }) => {
      if (feature === undefined) return { name, notFound: true }
      const { variants: _variants, potentiallyStale: _overdue, ...state } = toFeatureState(feature, [])
      return state
    }),
    links: { self: `/api/admin/metrics/applications/${encodeURIComponent(appName)}` },
  }
}

async function requireApplication(reader: Reader, appName: string, hidden?: readonly string[] | undefined) {
  const row = await findApplication(reader, appName, hidden)
  if (row !== undefined) return row
  throw notFound(`There is no application "${appName}".`)
}

/** Returns an application's data for each environment, with possible issues. Throws NotFoundError. */
export async function readApplicationOverview(
  reader: Reader,
  appName: string,
  hidden?: readonly string[] | undefined,
): Promise<ApplicationOverview> {
  const row = await requireApplication(reader, appName, hidden)
  const requested = await listRequestedFlags(reader, appName, hidden)
  const instances = await listInstances(reader, appName, { hidden })
  const outdated = new Set(
    listOutdatedVersions((await listAllSdkVersions(reader, hidden)).map((one) => one.sdkVersion)),
  )
  const known = requested.filter((one) => one.project !== null)
  const places = Map.groupBy(instances, (instance) => instance.environment)
  const types = new Set((await reader.selectFrom('strategy_types').select('name').execute()).map(({ name }) => name))
  return {
    projects: dedupe(known.map((one) => one.project ?? '')),
    featureCount: new Set(known.map((one) => one.name)).size,
    environments: [...places].map(([name, own]) => {
      const sdks = dedupe(own.flatMap(({ sdkVersion }) => (sdkVersion === null ? [] : [sdkVersion])))
      const missing = requested.filter((one) => one.environment === name && one.project === null)
      return {
        name,
        instanceCount: own.length,
        sdks,
        lastSeen: own.map(({ lastSeen }) => lastSeen).reduce((a, b) => (a > b ? a : b)),
        issues: {
          missingFeatures: dedupe(missing.map((one) => one.name)),
          outdatedSdks: sdks.filter((sdk) => outdated.has(sdk)),
          sdksWithoutParents: listWithoutParentSupport(sdks),
        },
      }
    }),
    issues: { missingStrategies: dedupe(row.strategies.filter((name) => !types.has(name))) },
  }
}

/**
 * Lists SDK versions for which a newer version of the same SDK is in use in this installation, with their applications.
 */
export async function readOutdatedSdks(reader: Reader, hidden?: readonly string[] | undefined): Promise<OutdatedSdks> {
  const uses = Map.groupBy(await listAllSdkVersions(reader, hidden), (use) => use.sdkVersion)
  const sdks = listOutdatedVersions([...uses.keys()]).map((sdkVersion) => ({
    sdkVersion,
    applications: dedupe((uses.get(sdkVersion) ?? []).map((use) => use.appName)),
  }))
  return { sdks }
}

const dedupe = (texts: readonly string[]) => [...new Set(texts)].sort()
