import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'

/** A token as it is kept between starts. */
export interface KeptToken {
  readonly token: string
  readonly type: 'backend' | 'frontend'
  readonly environment: string
  readonly projects: readonly string[]
}

/** What a node keeps for its next start. */
export interface KeptEdge {
  readonly tokens: readonly KeptToken[]
  /** What the upstream last sent, by environment. */
  readonly documents: ReadonlyMap<string, FeatureDocument>
  /** Evaluation profile that the upstream announced last, if any. */
  readonly profile?: EvaluationProfile | undefined
}

/** Where a node keeps what it knows, so that it can answer after a start while the upstream is away. */
export interface EdgeStorage {
  /** What was kept, as far as it can be read; undefined where there is nothing. Rejects where it cannot be asked. */
  load(): Promise<KeptEdge | undefined>
  save(kept: KeptEdge): Promise<void>
  close(): Promise<void>
}
