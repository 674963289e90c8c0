import { DocumentListeners } from '@burgee/serving/document/document-listeners'
import type { DocumentState } from '@burgee/serving/document/environment-document'
import type { EnvironmentDocuments } from '@burgee/serving/document/environment-documents'
import { listEnvironmentsUsedSince } from '@burgee/storage/queries/access/tokens'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { listEnvironmentNames } from '@burgee/storage/queries/projects/projects'
import type { OpenedSnapshot, UnparsedDocument } from '@burgee/storage/queries/snapshot/snapshot-state'
import { TRUSTED_MS } from '../../core/access/tokens/last-known-tokens.ts'
import { DEFAULT_ENVIRONMENT } from '../../core/default-environment.ts'
import type { World } from '../../core/world.ts'
import { EnvironmentReads } from './environment-reads.ts'
import { FlagReads } from './flag-reads.ts'
import { type DocumentStatus, LivingDocument } from './living-document.ts'

/** In-memory documents of all environments that have been requested. Events update the documents. */
export interface Documents extends EnvironmentDocuments {
  /**
   * Reads the document of the default environment, and of the environments of all tokens that were used on any node
   * within the last day. Documents of other environments, and documents whose read failed, are read when they are first
   * requested. Never rejects.
   */
  readInUse(): Promise<void>
  /** Returns how current the documents are, by environment. */
  statuses(): ReadonlyMap<string, DocumentStatus>
  /** Returns the documents in memory, by environment. */
  states(): ReadonlyMap<string, DocumentState>
  /** Stops reading. */
  close(): Promise<void>
}

/**
 * Creates the documents. A document is read when it is first requested: from the snapshot until the broadcast reports
 * that the database can be read, and from the database after that.
 *
 * @param receivedUpTo Id up to which every event has been received; unlimited by default
 */
export function createDocuments(
  world: Pick<World, 'db' | 'clock' | 'logger' | 'debug' | 'broadcast'>,
  snapshot?: OpenedSnapshot,
  receivedUpTo: () => number | undefined = () => undefined,
): Documents {
  const documents = new Map<string, LivingDocument>()
  const listeners = new DocumentListeners(world.logger)
  const reads = new FlagReads(world.db)
  const environmentReads = new EnvironmentReads(world.db)
  const snapshotAsOfMs = snapshot?.asOfMs ?? 0
  /**
   * Highest version among the documents of deleted environments. New documents get higher versions, so that no version
   * is used twice.
   */
  let deletedVersion = 0
  const unsubscribe = world.broadcast.subscribe(
    async (events) => {
      await Promise.all([...documents.values()].map((document) => document.onEvents(events)))
      await forgetDeleted(events)
    },
    async () => {
      await Promise.all([...documents.values()].map((document) => document.renew()))
    },
  )
  const open = (environment: string, own?: UnparsedDocument): LivingDocument => {
    const { db, clock, logger, debug } = world
    const changed = (state: DocumentState) => listeners.notify(environment, state)
    const before = own === undefined ? undefined : { document: own, asOfMs: snapshotAsOfMs }
    const deps = {
      db,
      reads,
      environmentReads,
      clock,
      logger,
      debug,
      changed,
      receivedUpTo,
      saved: before,
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
  for (const [environment, own] of snapshot?.documents ?? []) open(environment, own)
  return {
    get(environment) {
      const document = documents.get(environment) ?? open(environment)
      return document.state ?? document.first()
    },
    completeUpTo: (environment) => documents.get(environment)?.completeUpTo,
    settled: async (environment) => documents.get(environment)?.settled(),
    findTouchedSince: (environment, revision) => documents.get(environment)?.touchedAfter(revision),
    peek: (environment) => documents.get(environment)?.state,
    async readInUse() {
      const failed = (error: unknown) => world.logger.warn('Cannot read the flags of the environments in use', error)
      const names = await listEnvironmentsInUse(world).catch(failed)
      const loads = (names ?? []).map((name) => (documents.get(name) ?? open(name)).load())
      const [failure] = (await Promise.allSettled(loads)).filter(({ status }) => status === 'rejected')
      if (failure?.status === 'rejected') failed(failure.reason)
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

async function listEnvironmentsInUse({ db, clock }: Pick<World, 'db' | 'clock'>): Promise<string[]> {
  const now = clock()
  const [names, used] = await Promise.all([
    listEnvironmentNames(db.reader),
    listEnvironmentsUsedSince(db.reader, now - TRUSTED_MS, now),
  ])
  const inUse = new Set([DEFAULT_ENVIRONMENT, ...used])
  return names.filter((name) => inUse.has(name))
}

/** Returns the names of the environments that the given events have deleted. */
function deletedEnvironments(events: readonly StoredEvent[]): ReadonlySet<string> {
  const deleted = new Set<string>()
  for (const { type, environment } of events) {
    if (environment === null) continue
    if (type === 'environment-deleted') deleted.add(environment)
    else if (type === 'environment-created') deleted.delete(environment)
  }
  return deleted
}
