import type { Note } from '../model/fidelity.ts'
import type { Installation } from '../model/installation.ts'
import type { ImportSource } from '../model/source.ts'
import { type DatabaseLocation, type DatabaseSnapshot, takeSnapshot } from './database-snapshot.ts'
import { listDecisionNotes } from './decision-notes.ts'
import { readFlags } from './read-flags.ts'
import { readPeople } from './read-people.ts'
import { readReferenceData } from './read-reference-data.ts'
import { countEvents, countUsage, readAuxiliaryData, readEvents, readLastEventId, readUsage } from './read-usage.ts'
import { requireColumns } from './required-columns.ts'
import { readServedDocuments } from './served-document.ts'

/** Creates a source for an Unleash database of version 5, 6 or 7. Reads from one snapshot and never writes. */
export function createUnleashDatabaseSource(place: DatabaseLocation, clock: () => number): ImportSource {
  let snapshot: DatabaseSnapshot | undefined
  let documents: ReturnType<typeof readServedDocuments> | undefined
  return {
    async read() {
      snapshot ??= await takeSnapshot(place)
      requireColumns(snapshot)
      return readAll(snapshot, place, clock())
    },
    async served(environment) {
      if (snapshot === undefined) return undefined
      documents ??= readServedDocuments(snapshot)
      return (await documents)(environment)
    },
    async close() {
      await snapshot?.close()
    },
  }
}

async function readAll(snapshot: DatabaseSnapshot, place: DatabaseLocation, now: number): Promise<Installation> {
  const material = await readReferenceData(snapshot)
  const flags = await readFlags(snapshot)
  const { deleted, ...people } = await readPeople(snapshot)
  const { instanceId, settingNotes, ...surroundings } = await readAuxiliaryData(snapshot)
  const installation = { ...material, ...people, ...surroundings, flags }
  return {
    ...installation,
    origin: {
      name: 'Unleash database',
      place: formatLocation(place),
      readAt: now,
      instanceId,
      lastEventId: await readLastEventId(snapshot),
    },
    amounts: { usage: await countUsage(snapshot), events: (wish) => countEvents(snapshot, wish) },
    usage: () => readUsage(snapshot),
    events: (wish) => readEvents(snapshot, wish),
    notes: [
      ...listDecisionNotes(installation, now),
      ...(await listSkippedTableNotes(snapshot)),
      ...listDeletedNotes(deleted),
      ...settingNotes,
    ],
  }
}

/** Returns host and database, never the user or the password. */
function formatLocation({ url, schema }: DatabaseLocation): string {
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: '', pathname: '' }
  return `${host}${pathname} (schema ${schema})`
}

/**
 * Tables of which the import only checks whether they have rows. If so, the report lists their data as not imported.
 */
const NOT_CARRIED: readonly (readonly [table: string, what: string])[] = [
  ['banners', 'banners are not supported'],
  ['change_requests', 'change requests are not imported: apply or reject open ones before the cut-over'],
  ['signal_endpoints', 'signal endpoints are not supported'],
  ['actions', 'actions are not supported'],
  ['reset_tokens', 'password-reset links: users must request new ones'],
  ['unleash_session', 'sessions: all users must log in again'],
  ['client_metrics_env_daily', 'daily counts: hourly counts of the last hours are imported'],
  ['login_history', 'the login history is not imported'],
]

async function listSkippedTableNotes(snapshot: DatabaseSnapshot): Promise<Note[]> {
  const notes: Note[] = []
  for (const [table, words] of NOT_CARRIED) {
    const count = await snapshot.count(table)
    if (count > 0) notes.push(createOtherNote(`${table} (${count})`, words))
  }
  return notes
}

function createOtherNote(name: string, words: string): Note {
  return { kind: 'other', name, fidelity: 'not carried', words }
}

function listDeletedNotes(count: number): Note[] {
  if (count === 0) return []
  const words = 'deleted accounts occur only in events, with their former name'
  return [{ kind: 'user', name: `${count} deleted`, fidelity: 'not carried', words }]
}
