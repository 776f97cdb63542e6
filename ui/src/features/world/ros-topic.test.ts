import { describe, expect, it } from "vitest";
import { rosTopic, topicName } from "./ros-topic";

const HASH = `RIHS01_${"0a".repeat(32)}`;

describe("rosTopic", () => {
  it("FW-13 reads name, message and domain of a topic of ROS 2", () => {
    const found = { name: "/tb4/odom", message: "nav_msgs/msg/Odometry", domain: "42" };
    expect(rosTopic(`42/tb4/odom/nav_msgs::msg::dds_::Odometry_/${HASH}`)).toEqual(found);
    expect(rosTopic("42/tb4/odom/nav_msgs::msg::dds_::Odometry_/TypeHashNotSupported")).toEqual(found);
  });

  it.each(["lab/rover-1/out/state/pose", `lab/odom/nav_msgs::msg::dds_::Odometry_/${HASH}`, "0/odom/x/RIHS01_0"])(
    "FW-13 leaves %s as it is",
    (keyExpr) => {
      expect(rosTopic(keyExpr)).toBeNull();
      expect(topicName(keyExpr)).toBe(keyExpr);
    },
  );
});
