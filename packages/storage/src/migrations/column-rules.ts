import type { ColumnDefinitionBuilder } from 'kysely'

type ColumnRule = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

/** Makes a column mandatory. */
export const required: ColumnRule = (column) => column.notNull()

/** Makes a column mandatory, with the default 0. */
export const zeroByDefault: ColumnRule = (column) => column.notNull().defaultTo(0)

/** Makes a column mandatory, with the default 1. */
export const oneByDefault: ColumnRule = (column) => column.notNull().defaultTo(1)

/** Makes a column the primary key. */
export const primaryKey: ColumnRule = (column) => column.notNull().primaryKey()

/** Makes a column mandatory and unique. */
export const unique: ColumnRule = (column) => column.notNull().unique()

/** Makes a column a mandatory foreign key to `table.column`. Deleting the referenced row also deletes this row. */
export const ownedBy =
  (target: string): ColumnRule =>
  (column) =>
    column.notNull().references(target).onDelete('cascade')

/**
 * Makes a column the primary key and a foreign key to `table.column`. Deleting the referenced row also deletes this
 * row.
 */
export const ownedPrimaryKey =
  (target: string): ColumnRule =>
  (column) =>
    column.notNull().primaryKey().references(target).onDelete('cascade')
