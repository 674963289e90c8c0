import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'

/** Token as it is stored for the next start. */
export interface SnapshotToken {
  readonly token: string
  readonly type: 'backend' | 'frontend'
  readonly environment: string
  readonly projects: readonly string[]
}

/** State that a node stores for its next start. */
export interface EdgeSnapshot {
  readonly tokens: readonly SnapshotToken[]
  /** Documents last received from the upstream, by environment. */
  readonly documents: ReadonlyMap<string, FeatureDocument>
  /** Evaluation profile that the upstream last announced; undefined if it announced none. */
  readonly profile?: EvaluationProfile | undefined
}

/** Storage of a node's state, so that it can answer after a restart while the upstream is down. */
export interface EdgeStorage {
  /**
   * Returns the parts of the stored state that could be read; undefined if no part could be read. Rejects if the
   * storage is unavailable.
   */
  load(): Promise<EdgeSnapshot | undefined>
  save(kept: EdgeSnapshot): Promise<void>
  close(): Promise<void>
}
