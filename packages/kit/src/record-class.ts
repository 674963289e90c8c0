/**
 * Returns a class whose objects have no prototype, yet are as fast as objects with a prototype. Use a separate class
 * for each kind of key, because the JavaScript engine collects type feedback per class.
 */
export function createRecordClass<T>(): new () => Record<string, T> {
  const Names = class {} as new () => Record<string, T>
  Object.setPrototypeOf(Names.prototype, null)
  Reflect.deleteProperty(Names.prototype, 'constructor')
  return Names
}
