import { parseFeatureDocument } from '@burgee/serving/document/feature-document'
import type { Note } from '../../model/fidelity.ts'
import { createEmptyInstallation, type Installation } from '../../model/installation.ts'
import { type ImportSource, type Served, SourceRefused } from '../../model/source.ts'
import { listDecisionNotes } from '../decision-notes.ts'
import { toList, toObject, toText, toTexts } from '../stored-json.ts'
import { countApiEvents, readApiEvents, readNewestEventId } from './api-events.ts'
import { readApiFlags } from './api-flags.ts'
import { readApiPeople } from './api-people.ts'
import { readApiProjects, readApiReferenceData } from './api-reference-data.ts'
import { type UnleashApi, UnleashClient } from './unleash-client.ts'

const MAX_READ_ATTEMPTS = 3

/**
 * Creates a source that reads an Unleash server of version 5, 6 or 7 over HTTP, for users who cannot access the
 * server's database. The API has no snapshots, so the source starts over if data changes while it is being read.
 */
export function createUnleashApiSource(place: UnleashApi, clock: () => number): ImportSource {
  const reads = new UnleashClient(place)
  let tokens: Installation['tokens'] = []
  return {
    async read() {
      for (let tries = 1; tries <= MAX_READ_ATTEMPTS; tries += 1) {
        const before = await readNewestEventId(reads)
        const installation = await readAll(reads, place, { readAt: clock(), lastEventId: before })
        tokens = installation.tokens
        if ((await readNewestEventId(reads)) === before) return installation
      }
      throw new SourceRefused(
        `It changed during each of ${MAX_READ_ATTEMPTS} reads: turn on its maintenance mode, then try again`,
      )
    },
    served: (environment) => downloadWith(reads, selectTokens(tokens, environment, clock())),
    async close() {},
  }
}

const MAX_TOKENS = 3

/** Returns the SDK tokens for an environment. Tokens for all projects come first. */
function selectTokens(tokens: Installation['tokens'], environment: string, now: number): Installation['tokens'] {
  const good = tokens.filter(
    (token) =>
      token.type === 'client' &&
      token.environment === environment &&
      (token.expiresAt === null || token.expiresAt > now),
  )
  const isForAll = ({ projects }: (typeof good)[number]): number => Number(projects.includes('*'))
  return good.sort((a, b) => isForAll(b) - isForAll(a)).slice(0, MAX_TOKENS)
}

async function downloadWith(reads: UnleashClient, tokens: Installation['tokens']): Promise<Served | undefined> {
  for (const { secret, projects } of tokens) {
    const answer = await reads.download(secret)
    if (answer !== undefined) return { document: parseFeatureDocument(answer), projects }
  }
  return undefined
}

async function readAll(
  reads: UnleashClient,
  place: UnleashApi,
  moment: Pick<Installation['origin'], 'readAt' | 'lastEventId'>,
): Promise<Installation> {
  const material = await readApiReferenceData(reads)
  const { notes, ...people } = await readApiPeople(reads)
  const flags = await readApiFlags(reads)
  const ids = [...flags.map(({ project }) => project), ...people.tokens.flatMap(({ projects }) => projects)]
  const projects = await readApiProjects(reads, [...ids, ...material.segments.map(({ project }) => project ?? '')])
  const ui = toObject(await reads.find('/ui-config'))
  const { host, pathname } = new URL(place.url)
  const origin = {
    name: 'Unleash API',
    place: `${host}${pathname}`,
    ...moment,
    instanceId: toText(toObject(ui.versionInfo).instanceId),
  }
  const read = { ...createEmptyInstallation(origin), ...material, ...people, projects, flags }
  return {
    ...read,
    settings: Array.isArray(ui.frontendApiOrigins) ? { frontendOrigins: toTexts(toList(ui.frontendApiOrigins)) } : {},
    amounts: { usage: 0, events: (wish) => countApiEvents(reads, wish) },
    events: (wish) => readApiEvents(reads, wish),
    notes: [...listDecisionNotes(read, moment.readAt), ...notes, ...listArchivedNotes(flags), ...NOT_GIVEN],
  }
}

function listArchivedNotes(flags: Installation['flags']): Note[] {
  return flags
    .filter(({ archivedAt }) => archivedAt !== null)
    .map(({ name }) => ({
      kind: 'flag',
      name,
      fidelity: 'approximated',
      words:
        'it is archived; the API returns only name and dates of archived flags, so its strategies are not imported',
    }))
}

/** Kinds of data that the API does not return to any caller. Source: wire protocol */
const NOT_GIVEN: readonly Note[] = (
  [
    ['personal token', 'of everybody', 'the API does not return them: their owners must create new ones'],
    ['favourite', 'of everybody', 'the API returns only those of the caller'],
    ['usage', 'all', 'it starts again; the counts are in the database'],
    ['membership', 'of projects', 'the API of the open-source edition does not return them'],
    ['other', 'stages of flags', 'they start again'],
    ['other', 'history of logins', 'it starts again'],
  ] as const
).map(([kind, name, words]) => ({ kind, name, fidelity: 'not carried', words }))
