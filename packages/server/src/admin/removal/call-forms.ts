/** SDK calls in one language. */
export interface CallForms {
  readonly language: string
  readonly calls: readonly string[]
}

/** Calls by language. `FLAG` stands for the name of the flag. */
const LANGUAGES: readonly (CallForms & { readonly endings: readonly string[] })[] = [
  {
    language: 'JavaScript and TypeScript',
    endings: ['js', 'jsx', 'ts', 'tsx', 'mjs', 'cjs', 'mts', 'cts', 'vue', 'svelte'],
    calls: [
      "isEnabled('FLAG', context)",
      "getVariant('FLAG', context)",
      "useFlag('FLAG')",
      "useVariant('FLAG')",
      "getBooleanValue('FLAG', false)",
    ],
  },
  {
    language: 'Python',
    endings: ['py'],
    calls: ['is_enabled("FLAG", context)', 'get_variant("FLAG", context)', 'get_boolean_value("FLAG", False)'],
  },
  {
    language: 'Go',
    endings: ['go'],
    calls: ['IsEnabled("FLAG")', 'GetVariant("FLAG")', 'BooleanValue(ctx, "FLAG", false, evaluationContext)'],
  },
  {
    language: 'Java and Kotlin',
    endings: ['java', 'kt', 'kts', 'scala'],
    calls: ['isEnabled("FLAG", context)', 'getVariant("FLAG", context)', 'getBooleanValue("FLAG", false)'],
  },
  {
    language: '.NET',
    endings: ['cs', 'fs', 'vb'],
    calls: ['IsEnabled("FLAG")', 'GetVariant("FLAG")', 'GetBooleanValueAsync("FLAG", false)'],
  },
  {
    language: 'Ruby',
    endings: ['rb', 'erb'],
    calls: ["is_enabled?('FLAG')", "get_variant('FLAG')", "if_enabled('FLAG') { … }"],
  },
  { language: 'PHP', endings: ['php'], calls: ["isEnabled('FLAG')", "getVariant('FLAG')"] },
  { language: 'Rust', endings: ['rs'], calls: ['is_str_enabled("FLAG", …)', 'get_variant_str("FLAG", …)'] },
  { language: 'Swift', endings: ['swift'], calls: ['isEnabled(name: "FLAG")', 'getVariant(name: "FLAG")'] },
  { language: 'Dart', endings: ['dart'], calls: ["isEnabled('FLAG')", "getVariant('FLAG')"] },
]

/** Returns the SDK calls for a flag in the languages of the given files. */
export function listCallForms(paths: readonly string[], flag: string): CallForms[] {
  const endings = new Set(paths.map((path) => path.slice(path.lastIndexOf('.') + 1).toLowerCase()))
  return LANGUAGES.filter((one) => one.endings.some((ending) => endings.has(ending))).map(({ language, calls }) => ({
    language,
    calls: calls.map((call) => call.replaceAll('FLAG', flag)),
  }))
}
