/** Texts of the palette, in English. */
export const enPalette = {
  placeholder: 'Find a flag or a page, or do something …',
  nothing: 'Nothing found',
  searching: 'Searching',
  count: (entries: number) => (entries === 1 ? '1 result' : `${entries} results`),
  recent: 'Recently opened',
  pages: 'Pages',
  flags: 'Flags',
  actions: 'Actions',
  create: 'Create a flag',
  light: 'Light theme',
  dark: 'Dark theme',
  turnOn: (flag: string, environment: string) => `Turn ${flag} on in ${environment}`,
  turnOff: (flag: string, environment: string) => `Turn ${flag} off in ${environment}`,
  copyName: (flag: string) => `Copy the name ${flag}`,
  createSegment: 'Create a segment',
  createToken: 'Create an API token',
  auto: 'Theme as the system has it',
  contrastOn: 'High contrast: on',
  contrastOff: 'High contrast: off',
  keys: 'Show the keys',
  language: (name: string) => `Language: ${name}`,
  project: (name: string) => `Go to the project ${name}`,
  segment: (name: string) => `Segment ${name}`,
  inProject: (name: string) => `in ${name}`,
  why: (flag: string) => `Ask the playground about ${flag}`,
}

/** The shape that every language fills. */
export type PaletteTexts = typeof enPalette
