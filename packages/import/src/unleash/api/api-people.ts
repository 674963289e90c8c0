import type { Note } from '../../model/fidelity.ts'
import type { HeldInviteLink, HeldRole, HeldToken, HeldUser } from '../../model/held-people.ts'
import type { HeldIntegration } from '../../model/held-usage.ts'
import { listOf, objectOf, parametersOf, textOf, textsOf } from '../stored-json.ts'
import { timeOf } from './api-flags.ts'
import type { PoliteReads } from './polite-reads.ts'

type Json = Readonly<Record<string, unknown>>

const TYPES = new Set(['admin', 'client', 'frontend'])
/** Secrets that are masked or truncated. */
const MASKED = /^\*+$|\.\.\.|…/

/** Users, roles and credentials, as far as the API returns them. */
export interface ApiPeople {
  readonly roles: HeldRole[]
  readonly users: HeldUser[]
  readonly tokens: HeldToken[]
  readonly inviteLinks: HeldInviteLink[]
  readonly integrations: HeldIntegration[]
  readonly notes: Note[]
}

/** Reads users without passwords, tokens with their secrets, invite links, and integrations without their secrets. */
export async function readApiPeople(reads: PoliteReads): Promise<ApiPeople> {
  const people = objectOf(await reads.get('/user-admin'))
  const users = listOf(people.users).map(objectOf).map(userOf)
  const all = listOf(objectOf(await reads.get('/api-tokens')).tokens).map(objectOf)
  const tokens = all.filter(
    ({ secret, type }) => TYPES.has(String(type)) && typeof secret === 'string' && !MASKED.test(secret),
  )
  const links = listOf(objectOf(await reads.find('/invite-link/tokens')).tokens).map(objectOf)
  const integrations = listOf(objectOf(await reads.find('/addons')).addons)
    .map(objectOf)
    .map(integrationOf)
  return {
    ...{ users, tokens: tokens.map(tokenOf), integrations, inviteLinks: links.map(linkOf) },
    roles: listOf(people.rootRoles).map(objectOf).map(roleOf),
    notes: [
      ...all.filter((token) => !tokens.includes(token)).map(hiddenTokenNote),
      ...integrations.map(({ provider, id }) => integrationNote(`${provider} (${id})`)),
      ...(users.length === 0 ? [] : [PASSWORDS]),
    ],
  }
}

const PASSWORDS: Note = {
  ...{ kind: 'user', name: 'all', fidelity: 'approximated' },
  words: 'the API gives no passwords: everybody needs a link that sets a new one, or single sign-on',
}

function hiddenTokenNote({ tokenName, username }: Json): Note {
  const name = textOf(tokenName) ?? textOf(username) ?? ''
  return { kind: 'token', name, fidelity: 'not carried', words: 'its secret is not shown: make a new one' }
}

function integrationNote(name: string): Note {
  return {
    kind: 'integration',
    name,
    fidelity: 'approximated',
    words: 'its secrets are not shown: enter them anew, then turn it on',
  }
}

function userOf(row: Json): HeldUser {
  return {
    ...{ id: Number(row.id), name: textOf(row.name) ?? null, username: textOf(row.username) ?? null },
    ...{
      email: textOf(row.email) ?? null,
      password: { kind: 'unknown' },
      isService: row.accountType === 'Service Account',
    },
    ...{
      rootRole: typeof row.rootRole === 'number' ? row.rootRole : undefined,
      imageUrl: textOf(row.imageUrl) ?? null,
    },
    ...{ scimId: textOf(row.scimId) ?? null, scimExternalId: null, loginAttempts: 0 },
    ...{ createdAt: timeOf(row.createdAt) ?? 0, seenAt: timeOf(row.seenAt) },
  }
}

function roleOf(row: Json): HeldRole {
  return {
    ...{ id: Number(row.id), name: textOf(row.name) ?? '', description: textOf(row.description) ?? null },
    ...{ scope: 'root', isCustom: row.type === 'root-custom', permissions: [] },
  }
}

function tokenOf(row: Json): HeldToken {
  const projects = textsOf(row.projects ?? [row.project ?? '*'])
  return {
    ...{ secret: String(row.secret), alias: textOf(row.alias) ?? null, type: row.type as HeldToken['type'] },
    ...{ name: textOf(row.tokenName) ?? textOf(row.username) ?? '', environment: textOf(row.environment) ?? '*' },
    ...{ projects: projects.length === 0 ? ['*'] : projects, expiresAt: timeOf(row.expiresAt) },
    ...{ createdAt: timeOf(row.createdAt) ?? 0, seenAt: timeOf(row.seenAt) },
  }
}

function linkOf(row: Json): HeldInviteLink {
  return {
    ...{ secret: textOf(row.secret) ?? '', name: textOf(row.name) ?? '', createdBy: textOf(row.createdBy) ?? '' },
    ...{ createdAt: timeOf(row.createdAt) ?? 0, expiresAt: timeOf(row.expiresAt) ?? 0, enabled: row.enabled === true },
    users: listOf(row.users).map((one) => Number(objectOf(one).id)),
  }
}

/** Converts an integration. It is disabled, because its secrets are missing. */
function integrationOf(row: Json): HeldIntegration {
  const shown = Object.entries(parametersOf(row.parameters)).filter(([, value]) => !MASKED.test(value))
  return {
    ...{
      id: Number(row.id),
      provider: textOf(row.provider) ?? '',
      enabled: false,
      createdAt: timeOf(row.createdAt) ?? 0,
    },
    ...{ description: textOf(row.description) ?? null, parameters: Object.fromEntries(shown) },
    ...{ eventTypes: textsOf(row.events), projects: textsOf(row.projects), environments: textsOf(row.environments) },
  }
}
