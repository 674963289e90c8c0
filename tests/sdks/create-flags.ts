import { FLAGS, SEGMENTS, type TableFlag } from './decision-table.ts'

/** Calls the admin API below `/api/admin/`. */
export type Admin = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** Creates the flags and segments of the decision table. */
export async function createTable(admin: Admin): Promise<void> {
  const ids: number[] = []
  for (const segment of SEGMENTS) ids.push(await createSegment(admin, segment))
  for (const flag of FLAGS) {
    const strategies = flag.strategies.map((strategy) => {
      const { segments = [] } = strategy as { readonly segments?: readonly number[] }
      return { ...strategy, segments: segments.map((at) => ids[at]) }
    })
    await createFlag(admin, { ...flag, strategies })
  }
}

/** Creates a segment and returns its id. */
export async function createSegment(admin: Admin, segment: object): Promise<number> {
  return (await admin<{ id: number }>('POST', 'segments', segment)).id
}

/** Creates a flag in the environment `development`. The strategies of the flag refer to segments by their ids. */
export async function createFlag(
  admin: Admin,
  { name, isOff = false, strategies, variants, parent }: TableFlag,
  project = 'default',
): Promise<void> {
  const path = `projects/${project}/features`
  const own = `${path}/${encodeURIComponent(name)}`
  await admin('POST', path, { name })
  for (const strategy of strategies) await admin('POST', `${own}/environments/development/strategies`, strategy)
  if (variants !== undefined) await admin('PUT', `${own}/environments/development/variants`, variants)
  if (parent !== undefined) await admin('POST', `${own}/dependencies`, parent)
  if (!isOff) await admin('POST', `${own}/environments/development/on`)
}
