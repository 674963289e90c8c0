import type { Note } from '../../model/fidelity.ts'
import type { SourceInviteLink, SourceRole, SourceToken, SourceUser } from '../../model/source-people.ts'
import type { SourceIntegration } from '../../model/source-usage.ts'
import { toList, toObject, toParameters, toText, toTexts } from '../stored-json.ts'
import { parseTime } from './api-flags.ts'
import type { UnleashClient } from './unleash-client.ts'

type Json = Readonly<Record<string, unknown>>

const TYPES = new Set(['admin', 'client', 'frontend'])
/** Pattern for masked or truncated secrets. */
const MASKED = /^\*+$|\.\.\.|…/

/** Users, roles and credentials, as far as the API returns them. */
export interface ApiPeople {
  readonly roles: SourceRole[]
  readonly users: SourceUser[]
  readonly tokens: SourceToken[]
  readonly inviteLinks: SourceInviteLink[]
  readonly integrations: SourceIntegration[]
  readonly notes: Note[]
}

/** Reads users without passwords, tokens with their secrets, invite links, and integrations without their secrets. */
export async function readApiPeople(reads: UnleashClient): Promise<ApiPeople> {
  const people = toObject(await reads.get('/user-admin'))
  const users = toList(people.users).map(toObject).map(toUser)
  const all = toList(toObject(await reads.get('/api-tokens')).tokens).map(toObject)
  const tokens = all.filter(
    ({ secret, type }) => TYPES.has(String(type)) && typeof secret === 'string' && !MASKED.test(secret),
  )
  const links = toList(toObject(await reads.find('/invite-link/tokens')).tokens).map(toObject)
  const integrations = toList(toObject(await reads.find('/addons')).addons)
    .map(toObject)
    .map(toIntegration)
  return {
    users,
    tokens: tokens.map(toToken),
    integrations,
    inviteLinks: links.map(toInviteLink),
    roles: toList(people.rootRoles).map(toObject).map(toRole),
    notes: [
      ...all.filter((token) => !tokens.includes(token)).map(createHiddenTokenNote),
      ...integrations.map(({ provider, id }) => createIntegrationNote(`${provider} (${id})`)),
      ...(users.length === 0 ? [] : [PASSWORDS]),
    ],
  }
}

const PASSWORDS: Note = {
  kind: 'user',
  name: 'all',
  fidelity: 'approximated',
  words: 'the API returns no passwords: all users need a link to set a new one, or single sign-on',
}

function createHiddenTokenNote({ tokenName, username }: Json): Note {
  const name = toText(tokenName) ?? toText(username) ?? ''
  return { kind: 'token', name, fidelity: 'not carried', words: 'its secret is not returned: create a new one' }
}

function createIntegrationNote(name: string): Note {
  return {
    kind: 'integration',
    name,
    fidelity: 'approximated',
    words: 'its secrets are not returned: enter them again, then enable it',
  }
}

function toUser(row: Json): SourceUser {
  return {
    id: Number(row.id),
    name: toText(row.name) ?? null,
    username: toText(row.username) ?? null,
    email: toText(row.email) ?? null,
    password: { kind: 'unknown' },
    isService: row.accountType === 'Service Account',
    rootRole: typeof row.rootRole === 'number' ? row.rootRole : undefined,
    imageUrl: toText(row.imageUrl) ?? null,
    scimId: toText(row.scimId) ?? null,
    scimExternalId: null,
    loginAttempts: 0,
    createdAt: parseTime(row.createdAt) ?? 0,
    seenAt: parseTime(row.seenAt),
  }
}

function toRole(row: Json): SourceRole {
  return {
    id: Number(row.id),
    name: toText(row.name) ?? '',
    description: toText(row.description) ?? null,
    scope: 'root',
    isCustom: row.type === 'root-custom',
    permissions: [],
  }
}

function toToken(row: Json): SourceToken {
  const projects = toTexts(row.projects ?? [row.project ?? '*'])
  return {
    secret: String(row.secret),
    alias: toText(row.alias) ?? null,
    type: row.type as SourceToken['type'],
    name: toText(row.tokenName) ?? toText(row.username) ?? '',
    environment: toText(row.environment) ?? '*',
    projects: projects.length === 0 ? ['*'] : projects,
    expiresAt: parseTime(row.expiresAt),
    createdAt: parseTime(row.createdAt) ?? 0,
    seenAt: parseTime(row.seenAt),
  }
}

function toInviteLink(row: Json): SourceInviteLink {
  return {
    secret: toText(row.secret) ?? '',
    name: toText(row.name) ?? '',
    createdBy: toText(row.createdBy) ?? '',
    createdAt: parseTime(row.createdAt) ?? 0,
    expiresAt: parseTime(row.expiresAt) ?? 0,
    enabled: row.enabled === true,
    users: toList(row.users).map((one) => Number(toObject(one).id)),
  }
}

/** Converts an integration. The imported integration is disabled, because its secrets are missing. */
function toIntegration(row: Json): SourceIntegration {
  const shown = Object.entries(toParameters(row.parameters)).filter(([, value]) => !MASKED.test(value))
  return {
    id: Number(row.id),
    provider: toText(row.provider) ?? '',
    enabled: false,
    createdAt: parseTime(row.createdAt) ?? 0,
    description: toText(row.description) ?? null,
    parameters: Object.fromEntries(shown),
    eventTypes: toTexts(row.events),
    projects: toTexts(row.projects),
    environments: toTexts(row.environments),
  }
}
