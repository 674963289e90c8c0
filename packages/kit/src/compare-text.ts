/** Orders texts by their UTF-16 units: the same everywhere, whatever the language of the machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
