import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CREDENTIAL_TABLES } from './credential-tables.ts'

/**
 * Finds all code that links an account to an identity source, or adds it to a group on behalf of an identity source.
 */
const ROOT = join(import.meta.dirname, '../../../packages')
const LINKS =
  /\b(insertGroupMember|putGroupMembers|putIdentity|setMembers|createGroup|changeGroup)\b|\bscim_id: (?!null|row\b|scimId\b)|(insertInto\(|insertAll\(\s*tx,\s*)'(group_members|sso_identities)'/
const ADOPTS = /\badopt[A-Z]\w*\(/

/** Declarations that link an account without adopting it, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'server/src/admin/access/group-routes.ts CREATE_WITH_VIEW': 'an administrator creates a group',
  'server/src/admin/access/group-routes.ts UPDATE_WITH_VIEW': 'an administrator changes a group',
  'server/src/admin/access/groups/groups.ts createGroup': 'an administrator, or a caller of this list',
  'server/src/admin/access/groups/groups.ts changeGroup': 'an administrator, or a caller of this list',
  'server/src/admin/access/groups/group-members.ts setMembers': 'an administrator, or a caller of this list',
  'server/src/admin/import/write-people.ts toUserRow': 'new accounts of an import, all unverified',
  'server/src/admin/import/write-people.ts writeGroups':
    'an administrator; only imported people and verified addresses join',
  'server/src/admin/scim/scim-users.ts createScimUser': 'a new account without credentials',
  'server/src/admin/scim/scim-users.ts write': 'takes the adoption of the account as an argument',
  'server/src/admin/scim/scim-groups.ts write': 'called by declarations that have adopted the named members',
  'server/src/admin/sso/login-accounts.ts syncGroups': 'called by `resolveAccount`, which has adopted the account',
  'storage/src/queries/access/groups.ts insertGroupMember': 'the statement itself',
  'storage/src/queries/access/groups.ts putGroupMembers': 'the statement itself',
  'storage/src/queries/sso/identities.ts putIdentity': 'the statement itself',
}

const NAME = /^(?:export )?(?:async )?(?:function|const|class) (\w+)/

/** Returns the top-level declarations of a file without imports, types and comments. */
function declarationsOf(path: string): { name: string; text: string }[] {
  const source = readFileSync(join(ROOT, path), 'utf8').replaceAll(/^\s*(\/\*\*|\*|\/\/).*$/gm, '')
  return source
    .split(/\n(?=(?:export )?(?:async )?(?:function|const|class|interface|type|import) )/)
    .filter((text) => !/^import /.test(text))
    .flatMap((text) => {
      const name = NAME.exec(text)?.[1]
      return name === undefined ? [] : [{ name, text }]
    })
}

const files = globSync('{server,storage}/src/**/*.ts', { cwd: ROOT }).filter((path) => !path.includes('migrations'))
const declarations = files.flatMap((path) =>
  declarationsOf(path).map((one) => ({ ...one, place: `${path} ${one.name}` })),
)
const linking = declarations.filter(({ text }) => LINKS.test(text))

test('every declaration that links an account adopts it first, or is listed with a reason', () => {
  expect(
    linking.filter(({ text, place }) => !ADOPTS.test(text) && ALLOWED[place] === undefined).map(({ place }) => place),
  ).toEqual([])
})

test('the list names nothing that is gone', () => {
  const places = linking.map(({ place }) => place)
  expect(Object.keys(ALLOWED).filter((place) => !places.includes(place))).toEqual([])
})

test('every function by which accounts are adopted leads to `adoptAccounts`', () => {
  const adopters = declarations.filter(({ name }) => /^adopt[A-Z]/.test(name))
  expect(adopters.map(({ name }) => name)).toContain('adoptAccounts')
  const astray = adopters.filter(({ name, text }) => {
    const body = text.slice(text.indexOf(name) + name.length)
    return name !== 'adoptAccounts' && !ADOPTS.test(body)
  })
  expect(astray.map(({ place }) => place)).toEqual([])
})

/** Tables with a user that hold no credential; most of them are preferences, or record what the user did. */
const OTHER_TABLES = new Set([
  ...['feedback', 'splash', 'notification_reads', 'flag_presences', 'hidden_presences', 'feature_favorites'],
  ...['project_favorites', 'agent_writes', 'invite_link_users'],
  ...['change_request_opinions', 'change_request_approvers'],
  // permissions, which groups and administrators grant
  ...['project_members', 'group_members'],
])

test('every table with the column user_id is known to hold credentials or not', () => {
  const tables = globSync('storage/src/**/*tables.ts', { cwd: ROOT })
    .map((path) => readFileSync(join(ROOT, path), 'utf8').replaceAll(/^\s*(\/\*\*|\*|\/\/).*$/gm, ''))
    .flatMap((text) => [...text.matchAll(/^ {2}(\w+): \{([^}]*)\}/gm)])
    .filter(([, , columns = '']) => /\buser_id: number/.test(columns))
    .map(([, name = '']) => name)
  expect(tables.filter((name) => !OTHER_TABLES.has(name) && !CREDENTIAL_TABLES.includes(name))).toEqual([])
  expect([...OTHER_TABLES, ...CREDENTIAL_TABLES].filter((name) => !tables.includes(name))).toEqual([])
})
