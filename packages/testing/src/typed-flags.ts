/** Flags whose names are not checked. */
export type AnyFlags = Readonly<Record<string, boolean | string>>

/** Override of a flag: on, off, or on with a variant. `Value` is `boolean`, or the names of the variants. */
export type OverrideOf<Value> = Value extends string ? boolean | { readonly variant: Value } : boolean

/**
 * Overrides of flags. `Flags` declares the flags: `boolean` for a flag without variants, otherwise a union of the names
 * of its variants.
 */
export type Overrides<Flags extends object = AnyFlags> = {
  readonly [Name in keyof Flags]?: OverrideOf<Flags[Name]>
}

/** Changes of overrides; null removes an override. */
export type OverrideChanges<Flags extends object = AnyFlags> = {
  readonly [Name in keyof Flags]?: OverrideOf<Flags[Name]> | null
}
