import { describe, expect, it, vi } from "vitest";
import { getOrCreate } from "../../src/text/collections.js";

describe("getOrCreate", () => {
  it.each([1, 0, undefined])("makes %s once", (value) => {
    const map = new Map<string, number | undefined>();
    const make = vi.fn(() => value);
    expect([getOrCreate(map, "a", make), getOrCreate(map, "a", make)]).toEqual([value, value]);
    expect(make).toHaveBeenCalledTimes(1);
  });
});
