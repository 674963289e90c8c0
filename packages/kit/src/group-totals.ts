/** Amount in use for each group. A group that uses nothing takes up no memory. */
export class GroupTotals {
  readonly #amounts = new Map<string, number>()

  /** Returns the amount in use by a group. */
  get(group: string): number {
    return this.#amounts.get(group) ?? 0
  }

  /** Adds an amount to a group's total; a negative amount reduces the total. */
  add(group: string, amount: number): void {
    const total = this.get(group) + amount
    if (total === 0) this.#amounts.delete(group)
    else this.#amounts.set(group, total)
  }
}
