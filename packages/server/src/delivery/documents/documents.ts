import type { TouchedItems } from '@burgee/serving/document/document-delta'
import { DocumentListeners } from '@burgee/serving/document/document-listeners'
import type { DocumentRevision, DocumentState } from '@burgee/serving/document/environment-document'
import type { DocumentListener, EnvironmentDocuments } from '@burgee/serving/document/environment-documents'
import { listEnvironmentsUsedSince } from '@burgee/storage/queries/access/tokens'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { listEnvironmentNames } from '@burgee/storage/queries/projects/projects'
import type { OpenedSnapshot } from '@burgee/storage/queries/snapshot/snapshot-state'
import { TRUSTED_MS } from '../../core/access/tokens/last-known-tokens.ts'
import { DEFAULT_ENVIRONMENT } from '../../core/default-environment.ts'
import type { World } from '../../core/world.ts'
import { EnvironmentReads } from './environment-reads.ts'
import { FlagReads } from './flag-reads.ts'
import { type DocumentStatus, LivingDocument, type SavedDocument } from './living-document.ts'

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
  world: DocumentsDeps,
  snapshot?: OpenedSnapshot,
  receivedUpTo: () => number | undefined = () => undefined,
): Documents {
  return new DocumentSet(world, snapshot, receivedUpTo)
}

type DocumentsDeps = Pick<World, 'db' | 'clock' | 'logger' | 'debug' | 'broadcast'>

class DocumentSet implements Documents {
  readonly #world: DocumentsDeps
  readonly #receivedUpTo: () => number | undefined
  readonly #documents = new Map<string, LivingDocument>()
  readonly #listeners: DocumentListeners
  readonly #reads: FlagReads
  readonly #environmentReads: EnvironmentReads
  readonly #unsubscribe: () => void
  /**
   * Highest version among the documents of deleted environments. New documents get higher versions, so that no version
   * is used twice.
   */
  #deletedVersion = 0

  constructor(world: DocumentsDeps, snapshot: OpenedSnapshot | undefined, receivedUpTo: () => number | undefined) {
    this.#world = world
    this.#receivedUpTo = receivedUpTo
    this.#listeners = new DocumentListeners(world.logger)
    this.#reads = new FlagReads(world.db)
    this.#environmentReads = new EnvironmentReads(world.db)
    this.#unsubscribe = world.broadcast.subscribe(
      async (events) => {
        await Promise.all([...this.#documents.values()].map((document) => document.onEvents(events)))
        await this.#forgetDeleted(events)
      },
      async () => {
        await Promise.all([...this.#documents.values()].map((document) => document.renew()))
      },
    )
    for (const [environment, document] of snapshot?.documents ?? [])
      this.#open(environment, { document, asOfMs: snapshot?.asOfMs ?? 0 })
  }

  get(environment: string): DocumentState | Promise<DocumentState> {
    const document = this.#getOrOpen(environment)
    return document.state ?? document.first()
  }

  completeUpTo(environment: string): DocumentRevision | undefined {
    return this.#documents.get(environment)?.completeUpTo
  }

  async settled(environment: string): Promise<void> {
    await this.#documents.get(environment)?.settled()
  }

  findTouchedSince(environment: string, revision: DocumentRevision): TouchedItems | undefined {
    return this.#documents.get(environment)?.touchedAfter(revision)
  }

  peek(environment: string): DocumentState | undefined {
    return this.#documents.get(environment)?.state
  }

  async readInUse(): Promise<void> {
    const logFailure = (error: unknown) =>
      this.#world.logger.warn('Cannot read the flags of the environments in use', error)
    const names = await listEnvironmentsInUse(this.#world).catch(logFailure)
    const loads = (names ?? []).map((name) => this.#getOrOpen(name).load())
    const [failure] = (await Promise.allSettled(loads)).filter(({ status }) => status === 'rejected')
    if (failure?.status === 'rejected') logFailure(failure.reason)
  }

  subscribe(listener: DocumentListener): () => void {
    return this.#listeners.subscribe(listener)
  }

  statuses(): ReadonlyMap<string, DocumentStatus> {
    return new Map([...this.#documents].map(([environment, { status }]) => [environment, status]))
  }

  states(): ReadonlyMap<string, DocumentState> {
    const rows = [...this.#documents].flatMap(([name, { state }]) =>
      state === undefined ? [] : [[name, state] as const],
    )
    return new Map(rows)
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    await Promise.all([...this.#documents.values()].map((document) => document.close()))
  }

  #getOrOpen(environment: string): LivingDocument {
    return this.#documents.get(environment) ?? this.#open(environment)
  }

  #open(environment: string, saved?: SavedDocument): LivingDocument {
    const { db, clock, logger, debug } = this.#world
    const document = new LivingDocument(environment, {
      db,
      reads: this.#reads,
      environmentReads: this.#environmentReads,
      clock,
      logger,
      debug,
      changed: (state) => this.#listeners.notify(environment, state),
      receivedUpTo: this.#receivedUpTo,
      saved,
      afterVersion: this.#deletedVersion,
    })
    this.#documents.set(environment, document)
    return document
  }

  async #forgetDeleted(events: readonly StoredEvent[]): Promise<void> {
    for (const environment of deletedEnvironments(events)) {
      const document = this.#documents.get(environment)
      this.#documents.delete(environment)
      this.#deletedVersion = Math.max(this.#deletedVersion, document?.state?.version ?? 0)
      await document?.close()
    }
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
