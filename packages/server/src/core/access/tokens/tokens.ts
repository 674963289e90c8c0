import { hash } from 'node:crypto'
import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { ApiToken, CreateToken, UpdateToken } from '@burgee/protocol/access'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import {
  deleteToken,
  insertToken,
  listTokens,
  type TokenRow,
  type TokenType,
  updateTokenExpiry,
} from '@burgee/storage/queries/access/tokens'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { Change } from '../../execute.ts'
import { isoOrNull } from '../../iso-time.ts'
import { requireProject } from '../../project-ref.ts'
import type { World } from '../../world.ts'
import { hasPermission, type Rights } from '../rights/rights.ts'

const SECRET_BYTES = 28
const VISIBLE_LENGTH = 4
const REST = '…'

/**
 * Returns the SHA-256 of a secret in hex, which the database stores instead of the secret. Secrets are random, so no
 * slow hash is needed.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

/**
 * Returns the masked form of a token for lists: its prefix and the first four characters of the secret part. If an
 * imported token has no prefix, the whole token is the secret part.
 */
export function maskSecret(secret: string): string {
  const dot = secret.includes(':') ? secret.indexOf('.', secret.indexOf(':')) : -1
  const part = secret.slice(dot + 1)
  const shown = part.length > 4 * VISIBLE_LENGTH ? part.slice(0, VISIBLE_LENGTH) : ''
  return `${secret.slice(0, dot + 1)}${shown}${REST}`
}

/**
 * Creates a token secret, such as `default:development.<56 hex>`. The prefix is `[]:` for several projects and `*:` for
 * all projects. Source: wire protocol "Authentication".
 */
export function createSecret(random: World['random'], projects: readonly string[], environment: string): string {
  const [only] = projects
  const prefix = projects.length === 1 && only !== undefined ? only : '[]'
  return `${prefix}:${environment}.${Buffer.from(random(SECRET_BYTES)).toString('hex')}`
}

/**
 * Returns a token in the form used in events: without its secret, and with the public id by which clients can delete
 * it.
 */
export function toApiToken(row: TokenRow): ApiToken {
  return {
    id: row.id,
    secret: row.masked,
    tokenName: row.name,
    username: row.name,
    type: row.type,
    environment: row.environment,
    project: row.projects.join(','),
    projects: [...row.projects],
    expiresAt: isoOrNull(row.expires_at),
    createdAt: new Date(row.created_at).toISOString(),
    seenAt: isoOrNull(row.seen_at),
    alias: null,
  }
}

/**
 * Returns tokens in the form used in lists, with their secrets if the server stores readable secrets. Tokens that give
 * access to a hidden project are masked, and hidden projects are omitted.
 */
export async function toListedTokens(
  { readableSecrets }: Pick<World, 'readableSecrets'>,
  reader: Reader,
  rows: readonly TokenRow[],
  hidden: readonly string[] = [],
): Promise<ApiToken[]> {
  const opensHidden = ({ projects }: TokenRow) =>
    hidden.length > 0 && projects.some((project) => project === '*' || hidden.includes(project))
  const secrets = await readableSecrets?.read(
    reader,
    rows.filter((row) => !opensHidden(row)),
  )
  return rows.map((row) => {
    const projects = row.projects.filter((project) => !hidden.includes(project))
    return { ...toApiToken({ ...row, projects }), secret: secrets?.get(row.id) ?? row.masked }
  })
}

/** Validated input for a new token, with all defaults applied. */
export interface NewToken {
  readonly name: string
  readonly type: TokenType
  readonly environment: string
  readonly projects: readonly string[]
  readonly expiresAt: number | null
  /** Secret from the configuration; random if omitted. */
  readonly secret?: string
}

/**
 * Creates a token. The result contains the secret. Unless readable secrets are enabled, the secret cannot be read
 * later. Throws ValidationError.
 */
export const createToken: Change<NewToken, { row: TokenRow; secret: string }> = async (tx, wanted, context) => {
  await requireProjectsAndEnvironment(tx, wanted)
  const secret = wanted.secret ?? createSecret(context.random, wanted.projects, wanted.environment)
  const row: TokenRow = {
    id: context.newId(),
    hash: hashSecret(secret),
    masked: maskSecret(secret),
    name: wanted.name,
    type: wanted.type,
    environment: wanted.environment,
    projects: wanted.projects,
    expires_at: wanted.expiresAt,
    created_at: context.now,
    seen_at: null,
  }
  await insertToken(tx, row)
  await context.readableSecrets?.store(tx, row.id, secret)
  return { result: { row, secret }, events: [tokenEvent('api-token-created', row, { data: toApiToken(row) })] }
}

/** Removes a token by its secret or public id. Does nothing if there is no such token. */
export const removeToken: Change<{ token: string }, void> = async (tx, { token }) => {
  const row = await findToken(tx, token)
  if (row === undefined) return { result: undefined, events: [] }
  await deleteToken(tx, row.id)
  return { result: undefined, events: [tokenEvent('api-token-deleted', row, { preData: toApiToken(row) })] }
}

/** Sets the expiry of a token. An unchanged expiry creates no event. Throws NotFoundError, ValidationError. */
export const setExpiry: Change<{ token: string; body: UpdateToken }, void> = async (tx, { token, body }) => {
  const before = await findToken(tx, token)
  if (before === undefined) throw createUnknownToken()
  const expires_at = body.expiresAt === null ? null : parseTime(body.expiresAt)
  if (before.expires_at === expires_at) return { result: undefined, events: [] }
  await updateTokenExpiry(tx, before.id, expires_at)
  const states = { data: toApiToken({ ...before, expires_at }), preData: toApiToken(before) }
  return { result: undefined, events: [tokenEvent('api-token-updated', before, states)] }
}

/** Returns the error for a token that does not exist or that is hidden from the caller. */
export function createUnknownToken(): Problem {
  return notFound('There is no such token.')
}

/** Tokens that give access to a project. */
export interface ProjectTokens {
  /** Tokens that name the project, alone or together with other projects. */
  readonly named: readonly TokenRow[]
  /** SDK tokens for all projects. */
  readonly wildcard: readonly TokenRow[]
}

/** Finds the tokens that give access to a project. Throws NotFoundError if the project does not exist. */
export async function findProjectTokens(reader: Reader, project: string): Promise<ProjectTokens> {
  await requireProject(reader, project)
  const rows = await listTokens(reader)
  return {
    named: rows.filter(({ projects }) => projects.includes(project)),
    wildcard: rows.filter(({ projects, type }) => type !== 'admin' && projects.includes('*')),
  }
}

/**
 * Creates a token for one project. Throws NotFoundError if the project does not exist, and ValidationError if the body
 * names another project.
 */
export const createProjectToken: Change<
  { project: string; body: CreateToken },
  { row: TokenRow; secret: string }
> = async (tx, { project, body }, context) => {
  await requireProject(tx, project)
  const { project: only = project, projects = [only], ...rest } = body
  const wanted = toNewToken({ ...rest, projects })
  if (wanted.type === 'admin') throw invalid('An admin token cannot be for a single project.', 'body/type')
  const isForeign = wanted.projects.some((id) => id !== project) || only !== project
  if (isForeign) throw invalid(`The token must be for the project "${project}" alone.`, 'body/projects')
  return createToken(tx, wanted, context)
}

/** Token to remove from a project, and the caller's rights. */
export interface ProjectTokenRef {
  readonly project: string
  readonly token: string
  readonly rights: Rights
}

/**
 * Removes a token that gives access to a project. Does nothing if there is no such token, or if the token is only for
 * other projects and one of them is hidden. Throws NotFoundError if the project does not exist. Throws ValidationError
 * if the token is not for this project, is for all projects, or is also for a project in which the caller is not
 * allowed to remove tokens. The ValidationError does not reveal hidden projects. Source: spec "Admin API endpoints".
 */
export const removeProjectToken: Change<ProjectTokenRef, void> = async (tx, input, context) => {
  const { project, token, rights } = input
  await requireProject(tx, project)
  const row = await findToken(tx, token)
  if (row === undefined) return { result: undefined, events: [] }
  if (!row.projects.includes(project)) {
    if (row.projects.some((id) => rights.hidden.includes(id))) return { result: undefined, events: [] }
    throw invalid(`The token is not for the project "${project}".`)
  }
  if (!row.projects.every((id) => hasPermission(rights, 'DELETE_PROJECT_API_TOKEN', { project: id }))) {
    throw invalid('The token is also for a project whose tokens you may not remove. Ask an administrator to remove it.')
  }
  return removeToken(tx, { token: row.id }, context)
}

/**
 * Finds a token by its secret, its public id, or its masked form. Throws ConflictError if several tokens have the same
 * masked form, so that a caller never removes the wrong token.
 */
export async function findToken(reader: Reader, token: string): Promise<TokenRow | undefined> {
  const [bySecret] = await listTokens(reader, { column: 'hash', value: hashSecret(token) })
  if (bySecret !== undefined) return bySecret
  const [byId] = await listTokens(reader, { column: 'id', value: token })
  if (byId !== undefined || !token.endsWith(REST)) return byId
  const [listed, ...others] = await listTokens(reader, { column: 'masked', value: token })
  if (others.length === 0) return listed
  const many = `${others.length + 1} tokens have this masked form in lists`
  throw new Problem('ConflictError', `${many}: identify the token by its "id" or its whole secret.`)
}

/**
 * Converts a request body to a new token. The projects `["default", "*"]` become `*`. A client token must name one
 * environment. An admin token always has access to all projects and environments.
 */
export function toNewToken(body: CreateToken): NewToken {
  const name = getTokenName(body)
  const type = body.type.toLowerCase() as TokenType
  const expiresAt = body.expiresAt === undefined || body.expiresAt === null ? null : parseTime(body.expiresAt)
  if (type === 'admin') {
    requireFullScope(body)
    return { name, type, environment: '*', projects: ['*'], expiresAt }
  }
  const listed = body.projects ?? (body.project === undefined ? ['*'] : [body.project])
  if (listed.length === 0) throw invalid('A token needs at least one project.', 'body/projects')
  const projects = listed.includes('*') ? ['*'] : [...new Set(listed)]
  const environment = body.environment ?? 'development'
  if (environment === '*') throw invalid(`A ${type} token must be for one environment.`, 'body/environment')
  return { name, type, environment, projects, expiresAt }
}

/**
 * Rejects an admin token that is requested for one project or environment, because admin tokens always have access to
 * all projects and environments. Throws ValidationError.
 */
function requireFullScope({ environment = '*', project = '*', projects = ['*'] }: CreateToken): void {
  const message = 'An admin token is for all projects and environments: omit them, or create a token of another type.'
  if (environment !== '*') throw invalid(message, 'body/environment')
  if (project !== '*') throw invalid(message, 'body/project')
  if (!projects.includes('*')) throw invalid(message, 'body/projects')
}

function getTokenName({ tokenName, username }: CreateToken): string {
  const name = tokenName ?? username
  if (name === undefined) throw invalid('The `tokenName` property is required, or `username`.', 'body/tokenName')
  if (username === undefined || username === name) return name
  throw invalid('"username" is an alias of "tokenName": both must be equal.', 'body/username')
}

function parseTime(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw invalid('"expiresAt" must be a date and time', 'body/expiresAt')
  return time
}

async function requireProjectsAndEnvironment(tx: Tx, { environment, projects }: NewToken): Promise<void> {
  if (environment !== '*') {
    const found = await tx.selectFrom('environments').select('name').where('name', '=', environment).executeTakeFirst()
    if (found === undefined) throw invalid(`There is no environment "${environment}".`, 'body/environment')
  }
  for (const project of projects) {
    if (project === '*') continue
    const found = await tx.selectFrom('projects').select('id').where('id', '=', project).executeTakeFirst()
    if (found === undefined) throw invalid(`There is no project "${project}".`, 'body/projects')
  }
}

function tokenEvent(
  type: 'api-token-created' | 'api-token-updated' | 'api-token-deleted',
  row: TokenRow,
  states: { data?: unknown; preData?: unknown },
): NewEvent {
  const project = row.projects.length === 1 ? row.projects[0] : undefined
  return { type, project, environment: row.environment, ...states }
}
