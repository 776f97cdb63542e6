// Topics of ROS 2, which its middleware for Zenoh names by domain, topic, type and hash.

/** A topic of ROS 2. */
export type RosTopic = {
  /** For example `/tb4/odom`. */
  name: string;
  /** For example `nav_msgs/msg/Odometry`. */
  message: string;
  domain: string;
};

const KEY_EXPR = /^(\d+)\/(.+)\/(\w+)::(\w+)::dds_::(\w+)_\/(?:RIHS01_[0-9a-f]{64}|TypeHashNotSupported)$/;

/** The topic of ROS 2 that a key expression names. */
export function rosTopic(keyExpr: string): RosTopic | null {
  const [, domain, name, group, kind, message] = KEY_EXPR.exec(keyExpr) ?? [];
  if (domain === undefined) return null;
  return { name: `/${name}`, message: `${group}/${kind}/${message}`, domain };
}

/** The name of a topic on screen. */
export function topicName(keyExpr: string): string {
  return rosTopic(keyExpr)?.name ?? keyExpr;
}
