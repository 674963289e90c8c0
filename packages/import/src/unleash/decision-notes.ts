import type { Note } from '../model/fidelity.ts'
import type { Installation } from '../model/installation.ts'
import type { SourceRule } from '../model/source-flags.ts'
import { listsIpv6Addresses } from '../rules/ipv6-lists.ts'
import { UNREADABLE } from './stored-json.ts'

type ImportedParts = Pick<Installation, 'flags' | 'segments' | 'tokens' | 'environments' | 'projects' | 'users'>

/** Reports all objects that are evaluated differently or no longer grant access after the import. */
export function listDecisionNotes(installation: ImportedParts, now: number): Note[] {
  return [
    ...listUnreadableNotes(installation),
    ...listEnvironmentNotes(installation),
    ...listAddressNotes(installation),
    ...listSegmentNotes(installation),
    ...installation.tokens.flatMap((token) => listTokenNotes(token, installation, now)),
    ...(installation.users.length === 0 ? [NO_USERS] : []),
  ]
}

const NO_USERS: Note = {
  kind: 'user',
  name: 'none',
  fidelity: 'exact',
  words: 'there are no users (AUTH_TYPE=none?): the first administrator is created at the first start',
}

/**
 * Reports stored constraints that cannot be parsed. A constraint that cannot be parsed makes its strategy or segment
 * match no one.
 */
function listUnreadableNotes({ flags, segments, projects }: ImportedParts): Note[] {
  const isUnreadable = ({ constraints }: Pick<SourceRule, 'constraints'>): boolean => constraints.includes(UNREADABLE)
  const noteOf = (kind: Note['kind'], name: string, what: string): Note => {
    const words = `${what} has constraints that cannot be read: it matches no one here until the constraints are corrected`
    return { kind, name, fidelity: 'approximated', words }
  }
  return [
    ...flags.flatMap(({ name, states }) =>
      states
        .filter(({ strategies }) => strategies.some(isUnreadable))
        .map(({ environment }) => noteOf('flag', `${name} in ${environment}`, 'one of its strategies')),
    ),
    ...segments.filter(isUnreadable).map(({ name }) => noteOf('segment', name, 'it')),
    ...projects.flatMap(({ id, environments }) =>
      environments
        .filter(({ defaultStrategy }) => defaultStrategy !== null && isUnreadable(defaultStrategy))
        .map(({ environment }) => noteOf('project', `${id} in ${environment}`, 'the default strategy')),
    ),
  ]
}

/**
 * Reports flags with constraints on `environment`. Source: a server of version 5.12.8, which evaluates frontend
 * requests with the environment in the request, if the request has one
 */
function listEnvironmentNotes({ flags, segments }: ImportedParts): Note[] {
  const asks = ({ constraints }: Pick<SourceRule, 'constraints'>): boolean =>
    constraints.some(({ contextName }) => contextName === 'environment')
  const asking = new Set(segments.filter(asks).map(({ id }) => id))
  const isAsking = (rule: SourceRule): boolean =>
    !rule.disabled && (asks(rule) || rule.segments.some((id) => asking.has(id)))
  return flags
    .filter((flag) => flag.archivedAt === null && flag.states.some(({ strategies }) => strategies.some(isAsking)))
    .map(({ name }) => ({
      kind: 'flag',
      name,
      fidelity: 'exact',
      words:
        'it uses the context field "environment": for front ends, this is the environment of their token here, but their own value in the source, so the flag may be on for more of them',
    }))
}

/** Reports flags that list IPv6 addresses. */
function listAddressNotes({ flags }: ImportedParts): Note[] {
  return flags
    .filter(
      (flag) => flag.archivedAt === null && flag.states.some(({ strategies }) => strategies.some(listsIpv6Addresses)),
    )
    .map(({ name }) => ({
      kind: 'flag',
      name,
      fidelity: 'exact',
      words:
        'strategy "remoteAddress" lists IPv6 addresses: ranges and other spellings of an address match here, but not in the server, its proxy and the Node SDK, so the flag may be on for more callers',
    }))
}

function listSegmentNotes({ segments }: ImportedParts): Note[] {
  const byName = Map.groupBy(segments, ({ name }) => name)
  return [...byName].flatMap(([name, same]) =>
    same.slice(1).map(({ id }) => ({
      kind: 'segment',
      name: `${name} (${id})`,
      fidelity: 'approximated',
      words: `the name is used more than once: this one is named "${name} (${id})" here`,
    })),
  )
}

function listTokenNotes(
  token: ImportedParts['tokens'][number],
  { environments, projects }: ImportedParts,
  now: number,
): Note[] {
  const notes: Note[] = []
  const note = (fidelity: Note['fidelity'], words: string): void => {
    notes.push({ kind: 'token', name: token.name, fidelity, words })
  }
  if (token.expiresAt !== null && token.expiresAt <= now) note('exact', 'it has expired, and stays expired')
  const isForAll = token.environment === '*'
  if (!isForAll && !environments.some(({ name }) => name === token.environment)) {
    note('exact', `its environment "${token.environment}" does not exist: the token gives no access`)
  }
  if (isForAll && token.type !== 'admin') {
    note('not carried', 'it is for all environments, but SDK tokens are for one environment here: create one for each')
  }
  const gone = token.projects.filter((id) => id !== '*' && !projects.some((project) => project.id === id))
  if (gone.length > 0) note('exact', `projects of it do not exist: ${gone.join(', ')}`)
  return notes
}
