/** Kinds of objects in an installation, in report order. */
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
 * Result of importing an object. `exact`: the object behaves as in the source; it can still have a note.
 * `approximated`: the object was imported, and the note describes the differences. `not carried`: the object was not
 * imported.
 */
export type Fidelity = 'exact' | 'approximated' | 'not carried'

/** Report entry about one object. Objects without an entry were imported exactly. Entries contain no secrets. */
export interface Note {
  readonly kind: Kind
  /** Name or id of the object as users know it. */
  readonly name: string
  readonly fidelity: Fidelity
  /** Sentence that describes the difference or why the object was not imported, and what to do about it. */
  readonly words: string
}

/** Number of objects of a kind, and how many of them were imported. */
export interface KindCount {
  readonly kind: Kind
  readonly found: number
  readonly imported: number
  /** Number of objects that were not imported. The notes give the reasons. */
  readonly skipped: number
}
