import { DocumentListeners } from '@burgee/serving/document/document-listeners'
import type { DocumentState } from '@burgee/serving/document/environment-document'
import type { EnvironmentDocuments } from '@burgee/serving/document/environment-documents'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { listEnvironmentNames } from '@burgee/storage/queries/projects/projects'
import type { LoadedSnapshot, SnapshotDocument } from '@burgee/storage/queries/snapshot/snapshot-state'
import type { World } from '../../core/world.ts'
import { FlagReads } from './flag-reads.ts'
import { type DocumentStatus, LivingDocument } from './living-document.ts'

/** In-memory documents of all environments requested so far, updated by events. */
export interface Documents extends EnvironmentDocuments {
  /**
   * Reads every environment that has not been read yet. If that fails, the environment is read at its first request.
   * Never rejects.
   */
  readAll(): Promise<void>
  /** Returns the freshness of the documents, by environment. */
  statuses(): ReadonlyMap<string, DocumentStatus>
  /** Returns the documents in memory, by environment. */
  states(): ReadonlyMap<string, DocumentState>
  /** Stops reading. */
  close(): Promise<void>
}

/**
 * Creates the documents. Each document is read at its first request, or starts from the `kept` state on disk. A kept
 * state is served until the broadcast reports that the database can be read.
 *
 * @param receivedUpTo id of the last event up to which every event has been received; no bound by default
 */
export function createDocuments(
  world: Pick<World, 'db' | 'clock' | 'logger' | 'debug' | 'broadcast' | 'committedFlags'>,
  kept?: LoadedSnapshot,
  receivedUpTo: () => number | undefined = () => undefined,
): Documents {
  const documents = new Map<string, LivingDocument>()
  const listeners = new DocumentListeners(world.logger)
  const reads = new FlagReads(world.db, world.committedFlags)
  const keptAsOfMs = kept?.asOfMs ?? 0
  /** Highest version of the documents of deleted environments, so that version numbers are never reused. */
  let deletedVersion = 0
  const unsubscribe = world.broadcast.subscribe(
    async (events) => {
      world.committedFlags?.invalidate(events)
      await Promise.all([...documents.values()].map((document) => document.onEvents(events)))
      await forgetDeleted(events)
    },
    async () => {
      world.committedFlags?.clear()
      await Promise.all([...documents.values()].map((document) => document.renew()))
    },
  )
  const open = (environment: string, own?: SnapshotDocument): LivingDocument => {
    const { db, clock, logger, debug } = world
    const changed = (state: DocumentState) => listeners.notify(environment, state)
    const before = own === undefined ? undefined : { document: own, asOfMs: keptAsOfMs }
    const deps = {
      db,
      reads,
      clock,
      logger,
      debug,
      changed,
      receivedUpTo,
      kept: before,
      afterVersion: deletedVersion,
    }
    const document = new LivingDocument(environment, deps)
    documents.set(environment, document)
    return document
  }
  const forgetDeleted = async (events: readonly StoredEvent[]): Promise<void> => {
    for (const environment of deletedEnvironments(events)) {
      const document = documents.get(environment)
      documents.delete(environment)
      deletedVersion = Math.max(deletedVersion, document?.state?.version ?? 0)
      await document?.close()
    }
  }
  for (const [environment, own] of kept?.documents ?? []) open(environment, own)
  return {
    get(environment) {
      const document = documents.get(environment) ?? open(environment)
      return document.state ?? document.first()
    },
    completeUpTo: (environment) => documents.get(environment)?.completeUpTo,
    settled: async (environment) => documents.get(environment)?.settled(),
    findTouchedSince: (environment, revision) => documents.get(environment)?.touchedAfter(revision),
    peek: (environment) => documents.get(environment)?.state,
    async readAll() {
      try {
        for (const name of await listEnvironmentNames(world.db.reader))
          await (documents.get(name) ?? open(name)).first()
      } catch (error) {
        world.logger.warn('The flags of all environments could not be read at the start', error)
      }
    },
    subscribe: (listener) => listeners.subscribe(listener),
    statuses: () => new Map([...documents].map(([environment, { status }]) => [environment, status])),
    states: () =>
      new Map([...documents].flatMap(([name, { state }]) => (state === undefined ? [] : [[name, state] as const]))),
    async close() {
      unsubscribe()
      await Promise.all([...documents.values()].map((document) => document.close()))
    },
  }
}

/** Returns the names of the environments that no longer exist after these events. */
function deletedEnvironments(events: readonly StoredEvent[]): ReadonlySet<string> {
  const deleted = new Set<string>()
  for (const { type, environment } of events) {
    if (environment === null) continue
    if (type === 'environment-deleted') deleted.add(environment)
    else if (type === 'environment-created') deleted.delete(environment)
  }
  return deleted
}
