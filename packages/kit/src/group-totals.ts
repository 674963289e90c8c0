/** Amounts in use by group; a group with none uses no memory. */
export class GroupTotals {
  readonly #amounts = new Map<string, number>()

  /** Returns the amount in use by a group. */
  get(group: string): number {
    return this.#amounts.get(group) ?? 0
  }

  /** Adds an amount to a group; a negative amount returns it. */
  add(group: string, amount: number): void {
    const total = this.get(group) + amount
    if (total === 0) this.#amounts.delete(group)
    else this.#amounts.set(group, total)
  }
}
