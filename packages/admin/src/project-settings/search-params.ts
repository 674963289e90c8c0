/** Parts of the settings beside the general one. */
export const SETTINGS_TABS = ['environments', 'members', 'transfer'] as const

/** What the address of the settings says: which part; without it the general one. */
export interface SettingsSearch {
  readonly tab?: (typeof SETTINGS_TABS)[number]
  /** `new` while members are added. */
  readonly edit?: string
}

/** Reads the address. */
export function readSettingsSearch({ tab, edit }: Record<string, unknown>): SettingsSearch {
  const known = SETTINGS_TABS.find((one) => one === tab)
  return { ...(known === undefined ? {} : { tab: known }), ...(edit === 'new' ? { edit } : {}) }
}
