import { notFound } from '@burgee/kit/input/refusals'
import type {
  ApplicationDetails,
  ApplicationOverview,
  ApplicationSearch,
  Applications,
  DescribeApplication,
  OutdatedSdks,
} from '@burgee/protocol/application'
import type { Reader, Tx } from '../../store/database.ts'
import { listStrategyTypes } from '../../store/targeting/strategy-types.ts'
import {
  allSdkVersions,
  applicationRow,
  applicationState,
  askedBy,
  deleteApplication,
  instancesOf,
  listApplications,
  putApplication,
  seenFeatures,
} from '../../store/usage/applications.ts'
import { featureState } from '../features/feature-views.ts'
import { strategyTypeView } from '../targeting/strategy-types.ts'
import { outdatedVersions, withoutParents } from './sdk-versions.ts'

/** Fields to store for an application, and the projects hidden from the caller. */
interface Description {
  readonly appName: string
  readonly body: DescribeApplication
  readonly now: number
  readonly hidden?: readonly string[] | undefined
}

/**
 * Stores the description of an application, which may not have sent a report yet. Omitted fields keep their stored
 * value. Throws NotFoundError if all projects of the application are hidden.
 */
export async function describeApplication(tx: Tx, { appName, body, now, hidden }: Description): Promise<void> {
  const before = await applicationRow(tx, appName)
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
    ...{ app_name: appName, description, url, color, icon, strategies },
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

/** Lists applications with their environments, and their SDKs that do not support parent flags. */
export async function applicationList(
  reader: Reader,
  query: ApplicationSearch,
  hidden?: readonly string[] | undefined,
): Promise<Applications> {
  const { applications, total } = await listApplications(reader, query, hidden)
  return { applications: applications.map((one) => ({ ...one, sdksWithoutParents: withoutParents(one.sdks) })), total }
}

/** Returns an application with its instances, its strategies and the flags it evaluates. Throws NotFoundError. */
export async function applicationDetails(
  reader: Reader,
  appName: string,
  hidden?: readonly string[] | undefined,
): Promise<ApplicationDetails> {
  const row = await requireApplication(reader, appName, hidden)
  const types = new Map((await listStrategyTypes(reader)).map((type) => [type.name, strategyTypeView(type)]))
  return {
    ...applicationState(row),
    strategies: row.strategies.map((name) => types.get(name) ?? { name, notFound: true }),
    instances: await instancesOf(reader, appName, { hidden }),
    seenToggles: (await seenFeatures(reader, appName, hidden)).map(({ name, feature }) => {
      if (feature === undefined) return { name, notFound: true }
      const { variants: _variants, potentiallyStale: _overdue, ...state } = featureState(feature, [])
      return state
    }),
    links: { self: `/api/admin/metrics/applications/${encodeURIComponent(appName)}` },
  }
}

async function requireApplication(reader: Reader, appName: string, hidden?: readonly string[] | undefined) {
  const row = await applicationRow(reader, appName, hidden)
  if (row !== undefined) return row
  throw notFound(`There is no application "${appName}".`)
}

/** Returns an application's data for each environment, with possible issues. Throws NotFoundError. */
export async function applicationOverview(
  reader: Reader,
  appName: string,
  hidden?: readonly string[] | undefined,
): Promise<ApplicationOverview> {
  const row = await requireApplication(reader, appName, hidden)
  const asked = await askedBy(reader, appName, hidden)
  const instances = await instancesOf(reader, appName, { hidden })
  const outdated = new Set(outdatedVersions((await allSdkVersions(reader, hidden)).map((one) => one.sdkVersion)))
  const known = asked.filter((one) => one.project !== null)
  const places = Map.groupBy(instances, (instance) => instance.environment)
  const types = new Set((await reader.selectFrom('strategy_types').select('name').execute()).map(({ name }) => name))
  return {
    projects: distinct(known.map((one) => one.project ?? '')),
    featureCount: new Set(known.map((one) => one.name)).size,
    environments: [...places].map(([name, own]) => {
      const sdks = distinct(own.flatMap(({ sdkVersion }) => (sdkVersion === null ? [] : [sdkVersion])))
      const missing = asked.filter((one) => one.environment === name && one.project === null)
      return {
        name,
        instanceCount: own.length,
        sdks,
        lastSeen: own.map(({ lastSeen }) => lastSeen).reduce((a, b) => (a > b ? a : b)),
        issues: {
          missingFeatures: distinct(missing.map((one) => one.name)),
          outdatedSdks: sdks.filter((sdk) => outdated.has(sdk)),
          sdksWithoutParents: withoutParents(sdks),
        },
      }
    }),
    issues: { missingStrategies: distinct(row.strategies.filter((name) => !types.has(name))) },
  }
}

/** Lists SDK versions older than another version in use here, with the applications that use them. */
export async function outdatedSdks(reader: Reader, hidden?: readonly string[] | undefined): Promise<OutdatedSdks> {
  const uses = Map.groupBy(await allSdkVersions(reader, hidden), (use) => use.sdkVersion)
  const sdks = outdatedVersions([...uses.keys()]).map((sdkVersion) => ({
    sdkVersion,
    applications: distinct((uses.get(sdkVersion) ?? []).map((use) => use.appName)),
  }))
  return { sdks }
}

const distinct = (texts: readonly string[]) => [...new Set(texts)].sort()
