import { DocumentListeners } from '@burgee/serving/document/document-listeners'
import type { DocumentState } from '@burgee/serving/document/environment-document'
import type { EnvironmentDocuments } from '@burgee/serving/document/environment-documents'
import type { KeptDocument, KeptState } from '../../store/kept/kept-state.ts'
import { environmentNames } from '../../store/projects/projects.ts'
import type { World } from '../world.ts'
import { FlagReads } from './flag-reads.ts'
import { type DocumentStanding, LivingDocument } from './living-document.ts'

/** The living documents of all environments that somebody has asked for. */
export interface Documents extends EnvironmentDocuments {
  /** Reads every environment that was not read yet; one that cannot be read is read when somebody asks. Never rejects. */
  readAll(): Promise<void>
  /** How the documents stand to the database, by environment. */
  standings(): ReadonlyMap<string, DocumentStanding>
  /** What there is in memory, by environment. */
  states(): ReadonlyMap<string, DocumentState>
  /** Reads nothing any more. */
  close(): Promise<void>
}

/**
 * Keeps a document per environment, from the first time that somebody asks for it on, or from what was `kept` on disk:
 * that is served until the broadcast says that the database can be read.
 *
 * @param heardUpTo the last event before which the broadcast has told every one; without a bound by default
 */
export function createDocuments(
  world: Pick<World, 'db' | 'clock' | 'logger' | 'debug' | 'broadcast' | 'flagsAfter'>,
  kept?: KeptState,
  heardUpTo: () => number | undefined = () => undefined,
): Documents {
  const documents = new Map<string, LivingDocument>()
  const listeners = new DocumentListeners(world.logger)
  const reads = new FlagReads(world.db, world.flagsAfter)
  const keptAsOfMs = kept?.asOfMs ?? 0
  const unsubscribe = world.broadcast.subscribe(
    async (events) => {
      world.flagsAfter?.outdate(events)
      await Promise.all([...documents.values()].map((document) => document.hear(events)))
    },
    async () => {
      world.flagsAfter?.clear()
      await Promise.all([...documents.values()].map((document) => document.renew()))
    },
  )
  const open = (environment: string, own?: KeptDocument): LivingDocument => {
    const { db, clock, logger, debug } = world
    const changed = (state: DocumentState) => listeners.tell(environment, state)
    const before = own === undefined ? undefined : { document: own, asOfMs: keptAsOfMs }
    const deps = { db, reads, clock, logger, debug, changed, heardUpTo, kept: before }
    const document = new LivingDocument(environment, deps)
    documents.set(environment, document)
    return document
  }
  for (const [environment, own] of kept?.documents ?? []) open(environment, own)
  return {
    of(environment) {
      const document = documents.get(environment) ?? open(environment)
      return document.state ?? document.first()
    },
    completeUpTo: (environment) => documents.get(environment)?.completeUpTo,
    settled: async (environment) => documents.get(environment)?.settled(),
    touchedAfter: (environment, revision) => documents.get(environment)?.touchedAfter(revision),
    known: (environment) => documents.get(environment)?.state,
    async readAll() {
      try {
        for (const name of await environmentNames(world.db.reader)) await (documents.get(name) ?? open(name)).first()
      } catch (error) {
        world.logger.warn('The flags of all environments could not be read at the start', error)
      }
    },
    subscribe: (listener) => listeners.subscribe(listener),
    standings: () => new Map([...documents].map(([environment, { standing }]) => [environment, standing])),
    states: () =>
      new Map([...documents].flatMap(([name, { state }]) => (state === undefined ? [] : [[name, state] as const]))),
    async close() {
      unsubscribe()
      await Promise.all([...documents.values()].map((document) => document.close()))
    },
  }
}
