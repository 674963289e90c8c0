/**
 * A class of objects without a prototype that are as fast as those with one. Names of another kind take a class of their
 * own: objects of one class share what the platform has learnt of their names.
 */
export function classOfNames<T>(): new () => Record<string, T> {
  const Names = class {} as new () => Record<string, T>
  Object.setPrototypeOf(Names.prototype, null)
  Reflect.deleteProperty(Names.prototype, 'constructor')
  return Names
}
