import type { DocumentFlag } from '@burgee/serving/document/environment-document'

/** Flags whose client-visible state a change modifies in some environments, and their state after the change. */
export class ChangedFlags {
  readonly environments: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  /**
   * Flags after the change, by environment. They are read together with the commit, so they include everything written
   * before it. Undefined before the commit, and if they were not read.
   */
  committed: ReadonlyMap<string, readonly DocumentFlag[]> | undefined

  constructor(environments: Iterable<string>, names: Iterable<string>) {
    this.environments = new Set(environments)
    this.names = new Set(names)
  }
}
