/** Kinds of things that an installation holds, in the order in which they are told of. */
export const KINDS = [
  'environment',
  'project',
  'role',
  'group',
  'user',
  'membership',
  'context field',
  'flag type',
  'tag type',
  'strategy type',
  'segment',
  'flag',
  'dependency',
  'tag',
  'token',
  'personal token',
  'favourite',
  'integration',
  'invite link',
  'setting',
  'application',
  'usage',
  'event',
  'other',
] as const
export type Kind = (typeof KINDS)[number]

/**
 * What became of a thing. `exact`: it does what it did, though something is worth knowing. `approximated`: it is there,
 * and differs as the words say. `not carried`: it is not there.
 */
export type Fidelity = 'exact' | 'approximated' | 'not carried'

/** What is to be said of one thing: things without a note were carried exactly. Holds no secret. */
export interface Note {
  readonly kind: Kind
  /** Name or id of the thing, as people know it. */
  readonly name: string
  readonly fidelity: Fidelity
  /** A sentence: how it differs, or why it is missing, and what to do. */
  readonly words: string
}

/** How many of a kind there were, and what became of them. */
export interface KindCount {
  readonly kind: Kind
  readonly found: number
  readonly imported: number
  /** Left out; notes say why. */
  readonly skipped: number
}
