/**
 * JSON values with exact numbers.
 *
 * Integers outside the safe range of a double are `bigint`; every other number is `number`.
 * Objects have a null prototype, so a key such as `__proto__` or `constructor` is data only.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
