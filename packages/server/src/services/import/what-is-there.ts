import type { Schema, Tx } from '../../store/database.ts'
import { firstAdmin } from '../access/people/first-login.ts'

const DEFAULT_PROJECT = 'default'
/** Environments of every installation from its start. */
const FIRST_ENVIRONMENTS = ['development', 'production']
const FIRST_TAG_TYPE = 'simple'
/** Id of the first administrator in databases without a record of it. */
const FIRST_USER = 1

/** Describes the existing data in phrases such as "3 flags". Ignores the data that a first start creates. */
export async function whatIsThere(tx: Tx): Promise<string[]> {
  const first = (await firstAdmin(tx))?.userId ?? FIRST_USER
  const amounts = [
    ['flags', await amountOf(tx, 'features')],
    ['segments', await amountOf(tx, 'segments')],
    ['projects besides the first', countOf(await tx.selectFrom('projects').select('id').execute(), DEFAULT_PROJECT)],
    ['people who have logged in', await seenPeople(tx)],
    ['people besides the first administrator', countOf(await tx.selectFrom('users').select('id').execute(), first)],
    ['integrations', await amountOf(tx, 'integrations')],
    ['personal tokens', await amountOf(tx, 'personal_tokens')],
    ['groups', await amountOf(tx, 'groups')],
    ['roles of your own', await ownRoles(tx)],
    ['environments of your own', countOf(await environments(tx), ...FIRST_ENVIRONMENTS)],
    ['strategy types of your own', await ownStrategyTypes(tx)],
    ['tag types of your own', countOf(await tagTypes(tx), FIRST_TAG_TYPE)],
    ['invite links', await amountOf(tx, 'invite_links')],
    ['settings of change requests', await amountOf(tx, 'change_request_settings')],
    ['change requests', await amountOf(tx, 'change_requests')],
  ] as const
  return amounts.flatMap(([what, amount]) => (amount === 0 ? [] : [`${amount} ${what}`]))
}

async function amountOf(tx: Tx, table: keyof Schema): Promise<number> {
  const { n } = await tx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

function countOf(rows: readonly { readonly id: string | number }[], ...without: readonly (string | number)[]): number {
  return rows.filter(({ id }) => !without.includes(id)).length
}

async function seenPeople(tx: Tx): Promise<number> {
  return (await tx.selectFrom('users').select('id').where('seen_at', 'is not', null).execute()).length
}

async function ownRoles(tx: Tx): Promise<number> {
  return (await tx.selectFrom('roles').select('id').where('type', 'in', ['custom', 'root-custom']).execute()).length
}

async function ownStrategyTypes(tx: Tx): Promise<number> {
  return (await tx.selectFrom('strategy_types').select('name').where('built_in', '=', 0).execute()).length
}

function environments(tx: Tx): Promise<{ id: string }[]> {
  return tx.selectFrom('environments').select('name as id').execute()
}

function tagTypes(tx: Tx): Promise<{ id: string }[]> {
  return tx.selectFrom('tag_types').select('name as id').execute()
}
