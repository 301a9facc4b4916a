import { describe, expect, it } from "vitest";
import { resembling } from "../../src/words/resembling.js";

describe("resembling", () => {
  it.each([
    ["customer", ["customer"], true],
    ["customer", ["custmer"], true],
    ["customer_name", ["customerName"], true],
    ["company_name", ["company"], true],
    ["company", ["company_name"], true],
    ["client_name", ["customer_name"], true],
    ["find_invoice", ["lookup_invoice"], true],
    ["two", ["glued two items"], true],
    ["order_id", ["session_id"], false],
    ["ticket_no", ["current_date"], false],
    ["send_invoice", ["get_weather", "helper"], false],
    ["x", ["y"], true],
    ["x", ["customer"], false],
    ["customer", ["x"], false],
    ["customer", [], false],
    ["customer", ["", "___"], false],
    ["", ["customer"], false],
  ])("%s to %j: %s", (name, lost, expected) => {
    expect(resembling(lost)(name)).toBe(expected);
  });

  it("takes anything for meant where too many names are lost, or too many asked about", () => {
    const many = Array.from({ length: 51 }, (_, index) => `lost${index}`);
    expect(resembling(many)("plan")).toBe(true);
    expect(resembling(many.slice(1))("plan")).toBe(false);
    const mayBeMeant = resembling(["current_date"]);
    const answers = Array.from({ length: 2_001 }, (_, index) => mayBeMeant(`plan${index}`));
    expect(answers.indexOf(true)).toBe(2_000);
  });
});
