import type { Schema, Tx } from '@burgee/storage/database'
import { findFirstAdmin } from '../access/people/first-login.ts'

const DEFAULT_PROJECT = 'default'
/** Environments that every installation has from the start. */
const FIRST_ENVIRONMENTS = ['development', 'production']
const FIRST_TAG_TYPE = 'simple'
/** Id of the first administrator in databases that lack the record of the first start. */
const FIRST_USER = 1

/** Describes the existing data in phrases such as "3 flags". Ignores the data that the first start creates. */
export async function describeExistingData(tx: Tx): Promise<string[]> {
  const first = (await findFirstAdmin(tx))?.userId ?? FIRST_USER
  const amounts = [
    ['flags', await countRows(tx, 'features')],
    ['segments', await countRows(tx, 'segments')],
    [
      'projects other than the first',
      countWithout(await tx.selectFrom('projects').select('id').execute(), DEFAULT_PROJECT),
    ],
    ['users who have logged in', await countActiveUsers(tx)],
    [
      'users other than the first administrator',
      countWithout(await tx.selectFrom('users').select('id').execute(), first),
    ],
    ['integrations', await countRows(tx, 'integrations')],
    ['personal tokens', await countRows(tx, 'personal_tokens')],
    ['groups', await countRows(tx, 'groups')],
    ['custom roles', await countCustomRoles(tx)],
    ['custom environments', countWithout(await environments(tx), ...FIRST_ENVIRONMENTS)],
    ['custom strategy types', await countCustomStrategyTypes(tx)],
    ['custom tag types', countWithout(await tagTypes(tx), FIRST_TAG_TYPE)],
    ['invite links', await countRows(tx, 'invite_links')],
    ['change-request settings', await countRows(tx, 'change_request_settings')],
    ['change requests', await countRows(tx, 'change_requests')],
  ] as const
  return amounts.flatMap(([what, amount]) => (amount === 0 ? [] : [`${amount} ${what}`]))
}

async function countRows(tx: Tx, table: keyof Schema): Promise<number> {
  const { n } = await tx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

function countWithout(
  rows: readonly { readonly id: string | number }[],
  ...without: readonly (string | number)[]
): number {
  return rows.filter(({ id }) => !without.includes(id)).length
}

async function countActiveUsers(tx: Tx): Promise<number> {
  return (await tx.selectFrom('users').select('id').where('seen_at', 'is not', null).execute()).length
}

async function countCustomRoles(tx: Tx): Promise<number> {
  return (await tx.selectFrom('roles').select('id').where('type', 'in', ['custom', 'root-custom']).execute()).length
}

async function countCustomStrategyTypes(tx: Tx): Promise<number> {
  return (await tx.selectFrom('strategy_types').select('name').where('built_in', '=', 0).execute()).length
}

function environments(tx: Tx): Promise<{ id: string }[]> {
  return tx.selectFrom('environments').select('name as id').execute()
}

function tagTypes(tx: Tx): Promise<{ id: string }[]> {
  return tx.selectFrom('tag_types').select('name as id').execute()
}
