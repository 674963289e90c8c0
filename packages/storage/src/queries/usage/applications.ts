import { compareText } from '@burgee/kit/compare-text'
import type { Application, ApplicationDetails, ApplicationSearch } from '@burgee/protocol/application'
import { CLIENT_KINDS, getClientKind } from '@burgee/protocol/sdk/client-kind'
import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'
import { type FeatureRow, listFeaturesByName } from '../flags/features.ts'
import { readNamesWithHistory } from '../flags/hidden-names.ts'
import { listUnknownNamesByApplication } from './unknown-flags.ts'

type ApplicationRow = Selectable<Schema['client_applications']>
type Instance = ApplicationDetails['instances'][number]

const DEFAULT_LIMIT = 1000

const ORDERS: Readonly<
  Record<Required<ApplicationSearch>['sortBy'], (a: ApplicationRow, b: ApplicationRow) => number>
> = {
  appName: compareByName,
  createdAt: (a, b) => Number(a.first_seen_at) - Number(b.first_seen_at),
  updatedAt: (a, b) => Number(a.last_seen_at) - Number(b.last_seen_at),
  lastSeen: (a, b) => Number(a.last_seen_at) - Number(b.last_seen_at),
}

/**
 * Returns a page of applications, each with its environments and the projects of its tokens, and the total number of
 * applications. The applications are sorted by name unless another order is requested. Takes four queries.
 */
export async function listApplications(
  reader: Reader,
  { query = '', limit = DEFAULT_LIMIT, offset = 0, sortBy = 'appName', sortOrder = 'asc' }: ApplicationSearch,
  hidden: readonly string[] = [],
): Promise<{ applications: Omit<Application, 'sdksWithoutParents'>[]; total: number }> {
  const sign = sortOrder === 'desc' ? -1 : 1
  const rows = await listVisibleRows(reader, hidden)
  const found = rows
    .filter((row) => row.app_name.toLowerCase().includes(query.toLowerCase()))
    .sort((a, b) => sign * ORDERS[sortBy](a, b) || compareByName(a, b))
  const page = found.slice(offset, offset + limit)
  const names = [...page.map((row) => row.app_name), '']
  const running = Map.groupBy(await countRunningInstances(reader, names, hidden), (one) => one.app_name)
  const places = (await listApplicationScopes(reader, names)).filter(({ project }) => !hidden.includes(project))
  const reach = Map.groupBy(places, (one) => one.app_name)
  const versions = Map.groupBy(await listClients(reader, { names, hidden }), (one) => one.appName)
  const applications = page.map((row) => ({
    ...toApplication(row, { running: running.get(row.app_name) ?? [], reach: reach.get(row.app_name) ?? [] }),
    ...toSdksAndKinds(versions.get(row.app_name) ?? []),
  }))
  return { applications, total: found.length }
}

interface ApplicationScope {
  readonly project: string
  readonly environment: string
}

type RunningInstances = Awaited<ReturnType<typeof countRunningInstances>>[number]

function toApplication(
  row: ApplicationRow,
  { running, reach }: { readonly running: readonly RunningInstances[]; readonly reach: readonly ApplicationScope[] },
): Omit<Application, 'sdks' | 'kinds' | 'sdksWithoutParents'> {
  // instances last seen by a version that did not yet record the projects of tokens
  const unnoted = running.filter((one) => reach.every(({ environment }) => environment !== one.environment))
  const places = [...reach, ...unnoted.map(({ environment }) => ({ project: '*', environment }))]
  const usage = Map.groupBy(places, ({ project }) => project)
  return {
    ...toApplicationState(row),
    strategies: row.strategies,
    updatedAt: new Date(Number(row.last_seen_at)).toISOString(),
    createdBy: running.find(({ address }) => address !== null)?.address ?? null,
    project: getOnly(places.map(({ project }) => project)),
    environment: getOnly(places.map(({ environment }) => environment)),
    usage: [...usage].map(([project, own]) => ({ project, environments: own.map(({ environment }) => environment) })),
    running: running.map(({ environment, count }) => ({ environment, instances: Number(count) })),
  }
}

/** Counts the instances of applications by environment, and returns one of their addresses. */
function countRunningInstances(reader: Reader, names: readonly string[], hidden: readonly string[]) {
  return selectVisibleInstances(reader, hidden)
    .select(({ fn }) => [
      'i.app_name',
      'i.environment',
      fn.countAll<number>().as('count'),
      fn.max<string | null>('i.address').as('address'),
    ])
    .where('i.app_name', 'in', names)
    .groupBy(['i.app_name', 'i.environment'])
    .orderBy('i.environment')
    .execute()
}

/**
 * Selects instances that registered with a token for a visible project. Selects all instances if no project is hidden.
 */
export function selectVisibleInstances(reader: Reader, hidden: readonly string[]) {
  const query = reader.selectFrom('client_instances as i')
  if (hidden.length === 0) return query
  return query.where(({ exists, selectFrom }) =>
    exists(
      selectFrom('client_instance_projects as p')
        .select('p.project')
        .whereRef('p.app_name', '=', 'i.app_name')
        .whereRef('p.instance_id', '=', 'i.instance_id')
        .whereRef('p.environment', '=', 'i.environment')
        .where('p.project', 'not in', hidden),
    ),
  )
}

/** Returns applications that registered for a visible project. Returns all applications if no project is hidden. */
function listVisibleRows(reader: Reader, hidden: readonly string[], appName?: string): Promise<ApplicationRow[]> {
  let query = reader.selectFrom('client_applications as a').selectAll('a')
  if (appName !== undefined) query = query.where('a.app_name', '=', appName)
  if (hidden.length === 0) return query.execute()
  return query
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('client_application_reach as r')
          .select('r.project')
          .whereRef('r.app_name', '=', 'a.app_name')
          .where('r.project', 'not in', hidden),
      ),
    )
    .execute()
}

/** Returns the name if all names are the same; otherwise `*`. */
function getOnly(names: readonly string[]): string {
  const [only, ...others] = new Set(names)
  return only === undefined || others.length > 0 ? '*' : only
}

/** Returns the existing projects and environments for which applications have registered. */
function listApplicationScopes(reader: Reader, names: readonly string[]) {
  return reader
    .selectFrom('client_application_reach')
    .selectAll()
    .where('app_name', 'in', names)
    .where(({ or, eb, selectFrom }) =>
      or([eb('project', '=', '*'), eb('project', 'in', selectFrom('projects').select('id'))]),
    )
    .orderBy('project')
    .orderBy('environment')
    .execute()
}

/**
 * Returns the flag names that an application requests, each with the flag that has this name (archived or not), if one
 * exists.
 */
export async function listRequestedFeatures(
  reader: Reader,
  appName: string,
  hidden: readonly string[] = [],
): Promise<{ name: string; feature: FeatureRow | undefined }[]> {
  const counted = await reader
    .selectFrom('client_metrics')
    .select('feature_name as name')
    .distinct()
    .where('app_name', '=', appName)
    .execute()
  const requested = [...counted, ...(await listUnknownNamesByApplication(reader, appName, hidden))]
  const names = [...new Set(requested.map(({ name }) => name))].sort()
  const rows = new Map((await listFeaturesByName(reader, names)).map((row) => [row.name, row]))
  const deleted = names.filter((name) => !rows.has(name))
  const wasHidden = await readNamesWithHistory(reader, hidden, deleted)
  return names
    .map((name) => ({ name, feature: rows.get(name) }))
    .filter(({ name, feature }) => (feature === undefined ? !wasHidden.has(name) : !hidden.includes(feature.project)))
}

/** Returns the visible instances of an application, in all environments or in one environment. */
export async function listInstances(
  reader: Reader,
  appName: string,
  { environment, hidden = [] }: { readonly environment?: string; readonly hidden?: readonly string[] | undefined },
): Promise<Instance[]> {
  let query = selectVisibleInstances(reader, hidden).selectAll('i').where('i.app_name', '=', appName)
  if (environment !== undefined) query = query.where('i.environment', '=', environment)
  const rows = await query.orderBy('i.environment').orderBy('i.instance_id').execute()
  return rows.map((row) => ({
    appName: row.app_name,
    instanceId: row.instance_id,
    environment: row.environment,
    sdkVersion: row.sdk_version,
    clientIp: row.address,
    lastSeen: new Date(Number(row.last_seen_at)).toISOString(),
    createdAt: new Date(Number(row.first_seen_at ?? row.last_seen_at)).toISOString(),
  }))
}

/** Returns the stored application; undefined if it does not exist or has registered only for hidden projects. */
export async function findApplication(
  reader: Reader,
  appName: string,
  hidden: readonly string[] = [],
): Promise<ApplicationRow | undefined> {
  const [row] = await listVisibleRows(reader, hidden, appName)
  return row
}

/** Inserts or replaces an application. */
export async function putApplication(tx: Tx, { app_name, ...row }: ApplicationRow): Promise<void> {
  const columns = { ...row, strategies: JSON.stringify(row.strategies) }
  await tx
    .insertInto('client_applications')
    .values({ app_name, ...columns })
    .onConflict((conflict) => conflict.column('app_name').doUpdateSet(columns))
    .execute()
}

/**
 * Deletes an application and its instances; returns false if the application does not exist. The usage counts of the
 * application are not deleted.
 */
export async function deleteApplication(tx: Tx, appName: string): Promise<boolean> {
  await tx.deleteFrom('client_instances').where('app_name', '=', appName).execute()
  const { numDeletedRows } = await tx
    .deleteFrom('client_applications')
    .where('app_name', '=', appName)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Returns the flag names that an application has requested, by environment; `project` is null if no live flag has the
 * name.
 */
export async function listRequestedFlags(
  reader: Reader,
  appName: string,
  hidden: readonly string[] = [],
): Promise<{ name: string; environment: string; project: string | null }[]> {
  const counted = await reader
    .selectFrom('client_metrics as m')
    .leftJoin('features as f', 'f.name', 'm.feature_name')
    .select(['m.feature_name as name', 'm.environment', 'f.project', 'f.archived_at'])
    .distinct()
    .where('m.app_name', '=', appName)
    .execute()
  const unknown = await listUnknownNamesByApplication(reader, appName, hidden)
  const deleted = counted.filter(({ project }) => project === null).map(({ name }) => name)
  const wasHidden = await readNamesWithHistory(reader, hidden, deleted)
  const known = counted.filter(({ name, project }) =>
    project === null ? !wasHidden.has(name) : !hidden.includes(project),
  )
  const live = known.map(({ archived_at, ...asked }) => (archived_at === null ? asked : { ...asked, project: null }))
  return [...live, ...unknown.map((asked) => ({ ...asked, project: null }))]
}

/** Returns the SDK versions that visible instances use, each once per application. */
export async function listAllSdkVersions(reader: Reader, hidden: readonly string[] = []): Promise<SdkUse[]> {
  const rows = await selectVisibleInstances(reader, hidden)
    .select(['i.sdk_version', 'i.app_name'])
    .distinct()
    .where('i.sdk_version', 'is not', null)
    .execute()
  return rows.map(({ sdk_version, app_name: appName }) => ({ sdkVersion: sdk_version ?? '', appName }))
}

interface SdkUse {
  readonly sdkVersion: string
  readonly appName: string
}

/** SDK version that instances of an application use, and whether they use a public token. */
interface Client {
  readonly appName: string
  readonly sdkVersion: string | null
  readonly isPublic: boolean
}

/** Returns the distinct combinations of SDK version and kind of token for the given applications. */
async function listClients(
  reader: Reader,
  { names, hidden }: { readonly names: readonly string[]; readonly hidden: readonly string[] },
): Promise<Client[]> {
  const rows = await selectVisibleInstances(reader, hidden)
    .select(['i.sdk_version', 'i.app_name', 'i.by_public_token'])
    .distinct()
    .where('i.app_name', 'in', names)
    .execute()
  return rows.map((row) => ({
    appName: row.app_name,
    sdkVersion: row.sdk_version,
    isPublic: row.by_public_token === 1,
  }))
}

/** Returns the sorted SDK versions of an application, and its kinds of clients. */
function toSdksAndKinds(clients: readonly Client[]): Pick<Application, 'sdks' | 'kinds'> {
  const kinds = new Set(clients.map(({ sdkVersion, isPublic }) => getClientKind(sdkVersion, isPublic)))
  return {
    sdks: [...new Set(clients.flatMap(({ sdkVersion }) => sdkVersion ?? []))].sort(),
    kinds: CLIENT_KINDS.filter((kind) => kinds.has(kind)),
  }
}

/** Returns the stored properties of an application, without its strategies. */
export function toApplicationState(row: ApplicationRow) {
  return {
    appName: row.app_name,
    description: row.description,
    url: row.url,
    color: row.color,
    icon: row.icon,
    createdAt: new Date(Number(row.first_seen_at)).toISOString(),
    lastSeen: new Date(Number(row.last_seen_at)).toISOString(),
  }
}

function compareByName(a: ApplicationRow, b: ApplicationRow): number {
  return compareText(a.app_name, b.app_name)
}
