/** Request for some flags of an environment. */
export interface FlagWish {
  readonly environment: string
  readonly names: ReadonlySet<string>
  /** True if all segments are requested as well. */
  readonly segments: boolean
}
