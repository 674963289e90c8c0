import type { SourceToken } from '@burgee/import/model/source-people'
import { insertToken } from '@burgee/storage/queries/access/tokens'
import { insertAll } from '@burgee/storage/queries/import/explicit-ids'
import { digestSecret } from '@burgee/storage/queries/invitations/secret-digest'
import { hashSecret, maskSecret } from '../../core/access/tokens/tokens.ts'
import { toSecretColumns } from '../invitations/invite-links.ts'
import type { ImportContext } from './import-order.ts'
import { readNames } from './write-material.ts'

const OWNER_CONFLICT = 'a user with this username or e-mail address exists here; the token must not act for that user'
const TOKEN_EXISTS = 'a token with this secret already exists'

/** Writes tokens with their aliases, personal tokens, invite links and favorites. */
export async function writeAccess(writing: ImportContext): Promise<void> {
  await writeTokens(writing)
  await writePersonalTokens(writing)
  await writeInviteLinks(writing)
  await writeFavorites(writing)
}

/**
 * Writes tokens with the hash of the complete secret, so that every valid token continues to work, regardless of its
 * format.
 */
async function writeTokens(writing: ImportContext): Promise<void> {
  const { tx, installation, tally, moment } = writing
  const projects = await readNames(writing, 'projects', 'id')
  const hashes = new Set((await tx.selectFrom('api_tokens').select('hash').execute()).map(({ hash }) => hash))
  for (const { hash } of await tx.selectFrom('api_token_aliases').select('hash').execute()) hashes.add(hash)
  let imported = 0
  for (const token of installation.tokens) {
    // the source has already added the note about such tokens
    if (token.environment === '*' && token.type !== 'admin') continue
    const hash = hashSecret(token.secret)
    if (hashes.has(hash)) {
      tally.addNote('token', token.name, 'not carried', TOKEN_EXISTS)
      continue
    }
    hashes.add(hash)
    const id = moment.newId()
    await insertToken(tx, {
      id,
      hash,
      masked: maskSecret(token.secret),
      name: token.name,
      type: token.type,
      environment: token.type === 'admin' ? '*' : token.environment,
      projects: listExistingProjects(token, projects),
      expires_at: token.expiresAt,
      created_at: token.createdAt,
      seen_at: token.seenAt,
    })
    await moment.readableSecrets?.store(tx, id, token.secret)
    const alias = token.alias === null || token.alias === '' ? undefined : hashSecret(token.alias)
    if (alias !== undefined && !hashes.has(alias)) {
      hashes.add(alias)
      await tx.insertInto('api_token_aliases').values({ hash: alias, token_id: id }).execute()
    }
    imported += 1
  }
  tally.count('token', installation.tokens.length, imported)
}

/**
 * Returns the projects of a token that exist in this installation. If none of the projects exists, the token gives
 * access to no project rather than to all.
 */
function listExistingProjects({ projects, type }: SourceToken, there: ReadonlySet<string>): string[] {
  if (type === 'admin' || projects.includes('*')) return ['*']
  return [...new Set(projects)].filter((id) => there.has(id))
}

async function writePersonalTokens({ tx, installation, tally, users, matched }: ImportContext): Promise<void> {
  const hashes = new Set((await tx.selectFrom('personal_tokens').select('hash').execute()).map(({ hash }) => hash))
  const rows = installation.personalTokens.flatMap((token) => {
    const [hash, user_id] = [hashSecret(token.secret), users.get(token.userId)]
    const isMatched = matched.has(token.userId)
    if (user_id === undefined || isMatched || hashes.has(hash)) {
      const words = user_id === undefined ? 'its user does not exist here' : isMatched ? OWNER_CONFLICT : TOKEN_EXISTS
      tally.addNote('personal token', token.description, 'not carried', words)
      return []
    }
    return [
      {
        user_id,
        description: token.description,
        hash,
        expires_at: token.expiresAt,
        created_at: token.createdAt,
        seen_at: token.seenAt,
      },
    ]
  })
  tally.count('personal token', installation.personalTokens.length, rows.length)
  await insertAll(tx, 'personal_tokens', rows)
}

async function writeInviteLinks({ tx, installation, tally, users, moment }: ImportContext): Promise<void> {
  const there = new Set((await tx.selectFrom('invite_links').select('secret').execute()).map(({ secret }) => secret))
  const coming = installation.inviteLinks.filter(({ secret }) => !there.has(digestSecret(secret)))
  for (const link of coming) {
    const { id } = await tx
      .insertInto('invite_links')
      .values({
        ...toSecretColumns(moment.secrets, link.secret),
        name: link.name,
        created_by: link.createdBy,
        created_at: link.createdAt,
        expires_at: link.expiresAt,
        enabled: Number(link.enabled),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const invited = new Set(link.users.flatMap((user) => users.get(user) ?? []))
    await insertAll(
      tx,
      'invite_link_users',
      [...invited].map((user_id) => ({ link_id: id, user_id })),
    )
  }
  tally.count('invite link', installation.inviteLinks.length, coming.length)
}

async function writeFavorites(writing: ImportContext): Promise<void> {
  const { tx, installation, tally, users } = writing
  const { flags, projects } = installation.favorites
  const [knownFlags, knownProjects] = [
    await readNames(writing, 'features', 'name'),
    await readNames(writing, 'projects', 'id'),
  ]
  let imported = 0
  for (const { userId, flag } of flags) {
    const user_id = users.get(userId)
    if (user_id === undefined || !knownFlags.has(flag)) continue
    imported += 1
    await tx
      .insertInto('feature_favorites')
      .values({ user_id, feature_name: flag })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  for (const { userId, project } of projects) {
    const user_id = users.get(userId)
    if (user_id === undefined || !knownProjects.has(project)) continue
    imported += 1
    await tx
      .insertInto('project_favorites')
      .values({ user_id, project })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  tally.count('favourite', flags.length + projects.length, imported)
}
