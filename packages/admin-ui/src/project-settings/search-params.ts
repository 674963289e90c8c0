/** Tabs of the settings besides the general one. */
export const SETTINGS_TABS = ['environments', 'defaults', 'members', 'tokens', 'transfer', 'danger'] as const

/** URL parameters of the settings: the tab; the general one by default. */
export interface SettingsSearch {
  readonly tab?: (typeof SETTINGS_TABS)[number]
  /** `new` while members are added. */
  readonly edit?: string
}

/** Parses the URL parameters. */
export function parseSettingsSearch({ tab, edit }: Record<string, unknown>): SettingsSearch {
  const known = SETTINGS_TABS.find((one) => one === tab)
  return { ...(known === undefined ? {} : { tab: known }), ...(edit === 'new' ? { edit } : {}) }
}
