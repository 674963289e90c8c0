import { type CompileOptions, compile, type Engine } from '@burgee/engine'
import type { Logger } from '@burgee/kit/logger'
import type { FeatureDocument } from './document.ts'

/** A configuration in use: the compiled engine and what it was compiled from. */
export interface RepositoryState {
  readonly engine: Engine
  readonly document: FeatureDocument
  /** Counts the configurations of this process, from 1. */
  readonly revision: number
}

/** Parts a repository needs. */
export interface RepositoryDeps {
  readonly logger: Logger
  readonly compileOptions: CompileOptions
}

/**
 * The current configuration. New ones are compiled aside and swapped whole, so a request sees one or the other,
 * never a mixture. Not ready until the first one has come. Source: spec "Proxy readiness".
 */
export class Repository {
  readonly #deps: RepositoryDeps
  #state: RepositoryState | undefined
  #warned = new Set<string>()

  constructor(deps: RepositoryDeps) {
    this.#deps = deps
  }

  /** The state to answer from; undefined before the first successful sync. */
  get state(): RepositoryState | undefined {
    return this.#state
  }

  /** Puts a new configuration in place. A feature that does not compile is off and named in the log, once. */
  replace(document: FeatureDocument): void {
    const { engine, warnings } = compile(document, this.#deps.compileOptions)
    this.#state = { engine, document, revision: (this.#state?.revision ?? 0) + 1 }
    const texts = new Set(warnings.map((warning) => `Feature "${warning.feature}": ${warning.message}`))
    for (const text of texts) if (!this.#warned.has(text)) this.#deps.logger.warn(text)
    this.#warned = texts
  }
}
