/**
 * Returns a class whose objects have no prototype but are as fast as objects with a prototype. Use a separate class for
 * each kind of names, because objects of one class share the type feedback of the JavaScript engine.
 */
export function createRecordClass<T>(): new () => Record<string, T> {
  const Names = class {} as new () => Record<string, T>
  Object.setPrototypeOf(Names.prototype, null)
  Reflect.deleteProperty(Names.prototype, 'constructor')
  return Names
}
