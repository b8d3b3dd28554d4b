import { assert, it } from "@effect/vitest"
import { awsAddress } from "../../src/files/AwsAddress.ts"

it("the address of a service of AWS has another domain in the regions of China", () => {
  assert.strictEqual(awsAddress("sts", "eu-central-1"), "https://sts.eu-central-1.amazonaws.com")
  assert.strictEqual(awsAddress("sts", "cn-north-1"), "https://sts.cn-north-1.amazonaws.com.cn")
  assert.strictEqual(awsAddress("fleet.s3", "cn-north-1"), "https://fleet.s3.cn-north-1.amazonaws.com.cn")
})
