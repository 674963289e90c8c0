const TABS = ['environments', 'members'] as const

/** What the address of the settings says: which part; without it the general one. */
export interface SettingsSearch {
  readonly tab?: (typeof TABS)[number]
  /** `new` while members are added. */
  readonly edit?: string
}

/** Reads the address. */
export function readSettingsSearch({ tab, edit }: Record<string, unknown>): SettingsSearch {
  const known = TABS.find((one) => one === tab)
  return { ...(known === undefined ? {} : { tab: known }), ...(edit === 'new' ? { edit } : {}) }
}
