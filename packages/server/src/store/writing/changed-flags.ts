import type { DocumentFlag } from '@burgee/serving/document/environment-document'

/** Flags that a change has changed as SDKs see them in some environments, and how they are after it. */
export class ChangedFlags {
  readonly environments: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  /**
   * How they are, by environment: read with the commit that the change is in, so with everything that was written before
   * it. Undefined until then, and where they were not read.
   */
  after: ReadonlyMap<string, readonly DocumentFlag[]> | undefined

  constructor(environments: Iterable<string>, names: Iterable<string>) {
    this.environments = new Set(environments)
    this.names = new Set(names)
  }
}
