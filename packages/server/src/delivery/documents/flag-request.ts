/** Names of flags to read in an environment, and whether to read the segments. */
export interface FlagRequest {
  readonly environment: string
  readonly names: ReadonlySet<string>
  /** True if all segments are requested as well. */
  readonly segments: boolean
}
