/** A wish for some flags of an environment. */
export interface FlagWish {
  readonly environment: string
  readonly names: ReadonlySet<string>
  /** Whether all segments are wished for as well. */
  readonly segments: boolean
}
